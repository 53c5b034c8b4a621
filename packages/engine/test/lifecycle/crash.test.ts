import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { call, initialize, ping, textOf } from "../stdio/child.js";
import { folderWith, opened, programOf, startProgram } from "./program.js";

const TOOLS = `
  tool({ name: "echo", description: "Gives back.", run: () => "echoed" }),
  tool({ name: "hang", description: "Never ends.", run: () => new Promise(() => {}) }),
  tool({ name: "exit", description: "Ends the process at once.", run: () => process.exit(3) }),
  tool({ name: "exit_later", description: "Ends the process.", run: async () => { await null; process.exit(3); } }),
  tool({ name: "exit_soon", description: "Ends the process.", run: () => { setTimeout(() => { writeSync(2, "exiting\\n"); process.exit(3); }, 100); return new Promise(() => {}); } }),
  tool({ name: "report", description: "Reports.", run: (_input, call) => { call.progress(1); return "reported"; } }),
  tool({ name: "large", description: "Gives much.", run: () => "x".repeat(5_000_000) }),
  tool({
    name: "block",
    description: "Blocks until there is a file, and ends the process.",
    run() {
      writeSync(2, "blocking\\n");
      while (!existsSync(process.env.GO)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      process.exit(3);
    },
  }),
  tool({ name: "throw_later", description: "Throws.", run: () => { setImmediate(() => { throw new Error("lost /home/ann/db.sqlite"); }); return new Promise(() => {}); } }),
  tool({ name: "reject_later", description: "Rejects.", run: () => { void Promise.reject(new Error("lost it")); return new Promise(() => {}); } }),
`;

const ENDED =
  "The server exited before it responded: the process exited with code 3. The call may have taken effect. Restart the server.";

const ended = (id: unknown, message = ENDED) => ({ jsonrpc: "2.0", id, error: { code: -32603, message } });

describe("a process that exits while calls run", () => {
  test.each(["exit", "exit_later"])("responds to each of them (%s), after earlier responses", async (name) => {
    const child = await opened(startProgram(programOf(TOOLS)));
    child.send(call(1, "hang"), call("2", "hang"), ping(3), call(4, "echo"), call(5, name), ping(6));
    expect(await child.ended).toEqual({ code: 3, signal: null });
    expect(child.unfinished).toBe("");
    const answers = new Map(child.messages.map((message) => [message["id"], message]));
    expect(child.messages).toHaveLength(answers.size);
    expect([1, "2", 5].map((id) => answers.get(id))).toEqual([ended(1), ended("2"), ended(5)]);
    expect(answers.get(3)).toEqual({ jsonrpc: "2.0", id: 3, result: {} });
    expect(textOf(answers.get(4) ?? {})).toBe("echoed");
    expect(child.messages.findIndex(({ id }) => id === 4)).toBeLessThan(child.messages.findIndex(({ id }) => id === 1));
  });

  test("responds to calls of the stateless revision", async () => {
    const child = startProgram(programOf(TOOLS));
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    for (const name of ["hang", "exit_later"])
      child.send({ jsonrpc: "2.0", id: name, method: "tools/call", params: { name, arguments: {}, _meta: meta } });
    expect(await child.ended).toEqual({ code: 3, signal: null });
    expect(child.messages).toEqual([ended("hang"), ended("exit_later")]);
  });

  test.each(["exit", "exit_later"])("responds to the calls of a batch (%s)", async (name) => {
    const child = startProgram(programOf(TOOLS));
    child.send(initialize(0, "2025-03-26"), { jsonrpc: "2.0", method: "notifications/initialized" });
    child.send([call(1, "hang"), call(2, name)]);
    expect(await child.ended).toEqual({ code: 3, signal: null });
    const answers = child.lines.slice(1).flatMap((line) => JSON.parse(line) as unknown);
    expect(answers).toEqual([ended(1), ended(2)]);
  });

  test("responds to the requests of a batch with other values in it, with ids of any length", async () => {
    const child = startProgram(programOf(TOOLS));
    child.send(initialize(0, "2025-03-26"), { jsonrpc: "2.0", method: "notifications/initialized" });
    const long = JSON.stringify(call(1, "hang")).replace('"id":1', '"id":9007199254740993');
    child.write(`[${long},{"no":"request"},${JSON.stringify(call(2, "exit"))}]\n`);
    expect(await child.ended).toEqual({ code: 3, signal: null });
    expect(child.lines.slice(1).map((line) => /"id":(\d+),"error"/.exec(line)?.[1])).toEqual(["9007199254740993", "2"]);
  });

  test("does not lose a response that is held back until its progress is sent", async () => {
    const child = await opened(startProgram(programOf(TOOLS)));
    const { params } = call(1, "report") as { params: object };
    child.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...params, _meta: { progressToken: "p" } } });
    child.send(call(2, "exit_later"));
    expect(await child.ended).toEqual({ code: 3, signal: null });
    expect(child.messages.slice(1).map(({ id, method }) => id ?? method)).toEqual(["notifications/progress", 1, 2]);
    expect(textOf(await child.answer(1))).toBe("reported");
  });

  test("responds to requests that it has not read yet", async () => {
    const go = path.join(folderWith({}), "go");
    const child = await opened(startProgram(programOf(TOOLS), [], { GO: go }));
    child.send(call(1, "block"));
    await child.until(() => child.stderr.includes("blocking\n"), "its block");
    await new Promise((resolve) => child.process.stdin.write(`${JSON.stringify(call(2, "echo"))}\n`, resolve));
    writeFileSync(go, "");
    expect(await child.ended).toEqual({ code: 3, signal: null });
    expect(child.messages.slice(1)).toEqual([ended(1), ended(2)]);
  });

  test.each([
    ["throw_later", "uncaughtException", "lost db.sqlite"],
    ["reject_later", "unhandledRejection", "lost it"],
  ])("reports the error for which a listener of the author exits (%s)", async (name, event, words) => {
    const before = `setImmediate(() => process.on("${event}", () => process.exit(7)));`;
    const child = await opened(startProgram(programOf(TOOLS, "", before)));
    child.send(call(1, "hang"), call(2, name));
    expect(await child.ended).toEqual({ code: 7, signal: null });
    const message = `The server exited before it responded: ${words}. The call may have taken effect. Restart the server.`;
    expect(child.messages.slice(1)).toEqual([ended(1, message), ended(2, message)]);
    expect(child.stderr).toContain("uncaught error in a tool or background task");
  });

  test("continues after an uncaught error if no listener exits", async () => {
    const child = await opened(startProgram(programOf(TOOLS)));
    child.send(call(1, "throw_later"), call(2, "reject_later"), ping(3));
    await child.answer(3);
    child.send(call(4, "echo"));
    expect(textOf(await child.answer(4))).toBe("echoed");
  });

  test("ends the incomplete line, so that crash replies can be parsed", async () => {
    const child = await opened(startProgram(programOf(TOOLS)));
    child.process.stdout.pause();
    child.send(call(1, "hang"), call(2, "exit_soon"), call(3, "large"));
    await child.until(() => child.stderr.includes("exiting\n"), "its exit");
    child.process.stdout.resume();
    expect(await child.ended).toEqual({ code: 3, signal: null });
    const [, broken = "", ...rest] = child.lines;
    expect(broken).toMatch(/^\{"jsonrpc":"2\.0","id":3,"result":.*x$/);
    expect(rest.map((line) => JSON.parse(line))).toEqual([ended(1), ended(2)]);
  });

  test("writes nothing to a client that has disconnected", async () => {
    const child = await opened(startProgram(programOf(TOOLS, "limits: { drainMs: 50 }")));
    child.send(call(1, "hang"));
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.messages.map(({ id }) => id)).toEqual([0]);
  });
});
