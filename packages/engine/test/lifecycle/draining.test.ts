import { describe, expect, test } from "vitest";
import { type Child, call, initialize, ping, textOf } from "../stdio/child.js";
import { opened, programOf, startProgram } from "./program.js";

const TOOLS = `
  tool({ name: "wait", description: "Waits for a file.", run: async (_input, call) => {
    process.stderr.write("running\\n");
    call.signal.addEventListener("abort", () => process.stderr.write("stopped: " + call.signal.reason.message + "\\n"));
    while (!existsSync(process.env.GO ?? "")) await new Promise((resolve) => setTimeout(resolve, 5));
    return "waited";
  } }),
  tool({ name: "confirm", description: "Asks.", run: async (_input, call) => {
    const answer = await call.elicit("sure", "Really?", { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] });
    return "sure: " + answer?.sure;
  } }),
`;

const REFUSAL = {
  code: -32603,
  message: "The server is shutting down: it accepts no new requests. Try again after it has restarted.",
  data: { retryable: true },
};

/** Waits until this many calls run, signals the process, and waits until it drains. */
async function stopWhileRunning(child: Child, running: number, signal: NodeJS.Signals): Promise<void> {
  await child.until(() => child.stderr.split("running\n").length > running, "its calls");
  child.process.kill(signal);
  await child.until(() => child.stderr.includes("stopping"), "its log line");
}

const cancel = (requestId: unknown) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId, reason: "enough" },
});

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

describe.each(["SIGTERM", "SIGINT"] as const)("a server that receives %s while calls run", (signal) => {
  test("rejects new calls, responds to pings, accepts cancellations, and exits when nothing runs", async () => {
    const child = await opened(startProgram(programOf(TOOLS)));
    child.send(call(1, "wait"));
    await stopWhileRunning(child, 1, signal);
    child.send(call(2, "wait"), { jsonrpc: "2.0", id: 3, method: "tools/list" }, ping(4), initialize(5));
    child.send({ jsonrpc: "2.0", id: 6, method: "tools/list", params: { _meta: META } });
    await child.answer(6);
    child.send(cancel(1));
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.messages.slice(1)).toEqual([
      { jsonrpc: "2.0", id: 2, error: REFUSAL },
      { jsonrpc: "2.0", id: 3, error: REFUSAL },
      { jsonrpc: "2.0", id: 4, result: {} },
      { jsonrpc: "2.0", id: 5, error: REFUSAL },
      { jsonrpc: "2.0", id: 6, error: REFUSAL },
    ]);
    const rejected = (id: number, method: string) =>
      `[WARNING] [req_id=${id}] ${method} rejected: The server is shutting down: it accepts no new requests. Try again after it has restarted.\n`;
    expect(child.stderr).toBe(
      `running\n[NOTICE] stopping: active requests have 30 s to finish\n${rejected(2, "tools/call")}${rejected(3, "tools/list")}${rejected(5, "initialize")}${rejected(6, "tools/list")}stopped: enough\n`,
    );
  });

  test("accepts responses to elicitations, and lets calls finish", async () => {
    const child = startProgram(programOf(TOOLS));
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: { elicitation: {} },
      clientInfo: { name: "test", version: "1.0.0" },
    };
    child.send({ jsonrpc: "2.0", id: 0, method: "initialize", params });
    child.send({ jsonrpc: "2.0", method: "notifications/initialized" }, call(1, "confirm"));
    const find = () => child.messages.find(({ method }) => method === "elicitation/create");
    await child.until(() => find() !== undefined, "its question");
    await stopWhileRunning(child, 0, signal);
    child.send({ jsonrpc: "2.0", id: find()?.["id"], result: { action: "accept", content: { sure: true } } });
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(textOf(await child.answer(1))).toBe("sure: true");
  });

  test("aborts calls at the drain limit, and tells the client and the log", async () => {
    const options = "limits: { drainMs: 60, callsInFlight: 2 }";
    const child = await opened(startProgram(programOf(TOOLS, options)));
    const two = { ...call("two", "wait"), params: { name: "wait", arguments: {}, _meta: META } };
    // In one chunk, so that the third has arrived when the second runs.
    child.send(call(1, "wait"), two, call(3, "wait"));
    await stopWhileRunning(child, 2, signal);
    expect(await child.ended).toEqual({ code: 0, signal: null });
    const cut = (id: unknown, when: unknown, elapsedMs: unknown) => ({
      jsonrpc: "2.0",
      id,
      error: {
        code: -32603,
        message: expect.stringMatching(
          new RegExp(
            `^The server is shutting down: this request was aborted ${String(when)}, and may have had side effects\\.$`,
          ),
        ),
        data: { limit: "drainMs", elapsedMs },
      },
    });
    const after = String.raw`after \d+\.\d s`;
    expect(child.messages.slice(1)).toEqual([
      cut(1, after, expect.any(Number)),
      cut("two", after, expect.any(Number)),
      cut(3, "before it started", 0),
    ]);
    expect(child.stderr).toContain("[NOTICE] stopping: active requests have 0.06 s to finish\n");
    expect(child.stderr).toMatch(
      /\[WARNING\] \[req_id=1\] aborted tools\/call "wait" after \d+\.\d s: the server is stopping\n/,
    );
    expect(child.stderr).toMatch(/\[req_id="two"\] aborted tools\/call "wait" after/);
    expect(child.stderr).toContain('[req_id=3] aborted tools/call "wait" before it started: the server is stopping\n');
    expect(child.stderr).toContain("stopped: The server is shutting down: this request was aborted");
  });

  test("ends subscriptions with their response", async () => {
    const child = startProgram(programOf(TOOLS, "dynamic: true"));
    const params = { notifications: { toolsListChanged: true }, _meta: META };
    child.send({ jsonrpc: "2.0", id: "listen", method: "subscriptions/listen", params });
    await child.until(() => child.messages.length > 0, "its word");
    child.process.kill(signal);
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.messages.at(-1)).toMatchObject({ id: "listen", result: { resultType: "complete" } });
  });

  test("exits at once on a second signal, and responds to running calls", async () => {
    const child = await opened(startProgram(programOf(TOOLS)));
    child.send(call(1, "wait"));
    await stopWhileRunning(child, 1, signal);
    child.process.kill(signal);
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.messages.slice(1)).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        error: {
          code: -32603,
          message:
            "The server exited before it responded: it received a second stop signal. The call may have taken effect. Restart the server.",
        },
      },
    ]);
  });
});
