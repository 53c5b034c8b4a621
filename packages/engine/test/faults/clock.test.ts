import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { modern } from "../http/stateless-request.js";
import { type Child, call, initialize, type Message, ping, textOf } from "../stdio/child.js";
import { cleanExit, type Faulty, openHttp, openStdio, WAYS } from "./fault-server.js";

const JUMPS = [
  ["forth", 5],
  ["back", -5],
] as const;

const setClock = async (faulty: Faulty, hours: number): Promise<void> => {
  expect(textOf(await faulty.call("set_clock", { hours }))).toBe("set");
};

function address(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "toolwright-clock-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, name);
}

const request = (id: unknown, method: string, params: Message = {}): Message => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

describe.each(WAYS)("over %s, a clock that jumps", (_way, open) => {
  test.each(JUMPS)("%s aborts no running call, and calls still time out", async (_where, hours) => {
    const faulty = await open({}, "clock");
    const waiting = faulty.call("wait_for_gate");
    const hanging = faulty.call("hang_briefly");
    await faulty.child.until(() => faulty.child.stderr.includes("waiting\n"), "its start");
    await setClock(faulty, hours);
    expect(await hanging).toMatchObject({ result: { structuredContent: { code: "TIMEOUT" } } });
    expect(await faulty.call("hang_briefly")).toMatchObject({ result: { structuredContent: { code: "TIMEOUT" } } });
    expect(textOf(await faulty.call("open_gate"))).toBe("opened");
    expect(textOf(await waiting)).toBe("it is open");
    expect(await faulty.leave()).toEqual(cleanExit);
  });

  test("back and forward does not change the rate limit", async () => {
    const rate = JSON.stringify({ burst: 3, perSecond: 0.001, over: "reject" });
    const faulty = await open({ RATE: rate }, "clock");
    await setClock(faulty, 5);
    await setClock(faulty, -5);
    expect(textOf(await faulty.call("echo", { text: "third" }))).toBe("third");
    expect(await faulty.call("echo", { text: "fourth" })).toMatchObject({
      result: { isError: true, structuredContent: { code: "RATE_LIMITED", retryable: true } },
    });
    expect(await faulty.leave()).toEqual(cleanExit);
  });
});

describe("on stdio, a clock that jumps", () => {
  test("does not affect queued calls", async () => {
    const rate = JSON.stringify({ burst: 4, perSecond: 20 });
    const faulty = await openStdio({ RATE: rate }, "clock");
    await setClock(faulty, 5);
    const texts = ["1", "2", "3", "4", "5"];
    const waiting = Promise.all([
      ...texts.slice(0, 3).map((text) => faulty.call("echo", { text })),
      faulty.call("set_clock", { hours: -5 }),
      ...texts.slice(3).map((text) => faulty.call("echo", { text })),
    ]);
    expect((await waiting).map(textOf)).toEqual(["1", "2", "3", "set", "4", "5"]);
    expect(await faulty.leave()).toEqual(cleanExit);
  });

  /** Starts a task, and returns its id. */
  async function beginTask(child: Child): Promise<string> {
    child.send(request("task", "tools/call", { name: "wait_for_gate", arguments: {}, task: { ttl: 3_600_000 } }));
    const { task } = (await child.answer("task"))["result"] as { task: { taskId: string } };
    await child.until(() => child.stderr.includes("waiting\n"), "the start of the task");
    return task.taskId;
  }

  test.each([
    ["forth, by less than its time,", 0.5],
    ["back", -5],
  ])("%s does not lose a running task", async (_where, hours) => {
    const faulty = await openStdio({}, "clock");
    const { child } = faulty;
    const taskId = await beginTask(child);
    await setClock(faulty, hours);
    child.send(request("get", "tasks/get", { taskId }));
    expect(await child.answer("get")).toMatchObject({ result: { taskId, status: "working" } });
    child.send(request("result", "tasks/result", { taskId }), ping("p"));
    await child.answer("p");
    await faulty.call("open_gate");
    expect(textOf(await child.answer("result"))).toBe("it is open");
    expect(await faulty.leave()).toEqual(cleanExit);
  });

  test("forward by more than the time to live of a task expires it, and nobody waits forever", async () => {
    const faulty = await openStdio({}, "clock");
    const { child } = faulty;
    const taskId = await beginTask(child);
    await setClock(faulty, 5);
    child.send(request("get", "tasks/get", { taskId }), request("result", "tasks/result", { taskId }));
    const message = `Unknown task: ${taskId}. It never existed, has expired, or belongs to another client; call the tool again.`;
    for (const id of ["get", "result"]) expect((await child.answer(id))["error"]).toEqual({ code: -32602, message });
    expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
    expect(await faulty.leave()).toEqual(cleanExit);
  });

  test.each(JUMPS)("%s does not affect a pending elicitation", async (_where, hours) => {
    const faulty = await openStdio({}, "clock", { elicitation: {} });
    const { child } = faulty;
    child.send(call("ask", "confirm"));
    const question = (): Message | undefined => child.messages.find(({ method }) => method === "elicitation/create");
    await child.until(() => question() !== undefined, "its question");
    await setClock(faulty, hours);
    child.send({ jsonrpc: "2.0", id: question()?.["id"], result: { action: "accept", content: { sure: true } } });
    expect(textOf(await child.answer("ask"))).toBe("sure: true");
    expect(await faulty.leave()).toEqual(cleanExit);
  });

  test("leaves readable records: complete lines, in order, each with a time", async () => {
    const [audit, record] = [address("a.jsonl"), address("r.jsonl")];
    const env = { AUDIT: JSON.stringify({ file: audit }), RECORD: JSON.stringify({ file: record }) };
    const faulty = await openStdio(env, "clock");
    for (const hours of [5, -5, 0]) await setClock(faulty, hours);
    expect(await faulty.leave()).toEqual(cleanExit);
    const read = (file: string): Message[] =>
      readFileSync(file, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Message);
    const entries = read(audit);
    expect(entries.map(({ requestId, outcome }) => [requestId, outcome])).toEqual([
      [1, "ok"],
      [2, "ok"],
      [3, "ok"],
    ]);
    for (const { time, durationMs } of entries) {
      expect(Number.isNaN(Date.parse(time as string))).toBe(false);
      expect(durationMs).toBeGreaterThanOrEqual(0);
    }
    const at = read(record)
      .slice(1)
      .map((frame) => frame["at"] as number);
    expect(at.length).toBeGreaterThanOrEqual(9);
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    expect(at[0]).toBeGreaterThanOrEqual(0);
  });
});

describe("over HTTP, a clock that jumps", () => {
  const plain = { "content-type": "application/json", accept: "application/json, text/event-stream" };

  test("ends no session, and idle sessions still end", async () => {
    const site = await openHttp({ HTTP_LIMITS: '{"sessionIdleMs":500}' }, "clock");
    const post = (body: Message, session: string): Promise<Response> =>
      fetch(site.url, { method: "POST", headers: { ...plain, "mcp-session-id": session }, body: JSON.stringify(body) });
    const begin = async (): Promise<string> => {
      const answer = await fetch(site.url, { method: "POST", headers: plain, body: JSON.stringify(initialize(0)) });
      await answer.text();
      return answer.headers.get("mcp-session-id") ?? "";
    };
    for (const hours of [5, -5]) {
      const session = await begin();
      await setClock(site, hours);
      const answer = await post(ping(1), session);
      expect([answer.status, await answer.json()]).toEqual([200, { jsonrpc: "2.0", id: 1, result: {} }]);
      let status = 200;
      // Checking a session counts as use, so it is checked rarely.
      while (status !== 404) {
        await new Promise((resolve) => setTimeout(resolve, 1000));
        const late = await post(ping(2), session);
        await late.text();
        status = late.status;
      }
    }
    expect(await site.leave()).toEqual(cleanExit);
  });

  test("forward expires an elicitation of the stateless revision, and the error says what to do", async () => {
    const site = await openHttp({}, "clock");
    const meta = { "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } };
    const send = async (more: Message): Promise<Message> => {
      const { body, headers } = modern("tools/call", { name: "confirm", arguments: {}, ...more }, meta);
      const options = { method: "POST", headers: { ...plain, ...headers }, body: JSON.stringify(body) };
      return (await (await fetch(site.url, options)).json()) as Message;
    };
    const ask = async (): Promise<unknown> => {
      const { result } = await send({});
      expect(result).toMatchObject({ resultType: "input_required" });
      return (result as Message)["requestState"];
    };
    const answer = (requestState: unknown): Promise<Message> =>
      send({ inputResponses: { sure: { action: "accept", content: { sure: true } } }, requestState });
    const stale = await ask();
    await setClock(site, 5);
    expect((await answer(stale))["error"]).toMatchObject({
      code: -32602,
      message: "Invalid params: requestState has expired; call again without it",
    });
    const fresh = await ask();
    await setClock(site, 0);
    expect(textOf(await answer(fresh))).toBe("sure: true");
    expect(await site.leave()).toEqual(cleanExit);
  });
});
