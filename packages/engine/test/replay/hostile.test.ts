import { type ReplayReport, replay } from "@toolwright/engine/client";
import { connectTestClient, expectReplayMatches } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { create, deploy, greet, record, wait } from "./recorded.js";

const HEADER =
  '{"toolwright":"recording","version":1,"server":{"name":"x","version":"1"},"startedAt":"2026-01-01T00:00:00.000Z"}';
const frame = (from: "client" | "server", rest: object, session = 1) =>
  JSON.stringify({ at: 1, session, from, ...rest });
const request = (id: unknown, method: string, params: object = {}) =>
  frame("client", { message: { jsonrpc: "2.0", id, method, params } });
const response = (id: unknown, result: object) => frame("server", { message: { jsonrpc: "2.0", id, result } });
const hello = (name: string) => ({ content: [{ type: "text", text: `Hello ${name}` }], isError: false });
const fileOf = (...lines: readonly string[]) => `${[HEADER, ...lines].join("\n")}\n`;
const replayGreet = (text: string, options = {}) => replay(text, { server: create([greet]) }, options);
const summary = ({ requests }: ReplayReport) =>
  requests.map(({ method, verdict, reason }) => [method, verdict, reason]);

const greeting = [request(1, "tools/call", { name: "greet", arguments: { name: "Ada" } }), response(1, hello("Ada"))];

describe("rejects as a recording:", () => {
  test.each([
    ["an empty file", ""],
    ["text", "hello\nworld"],
    ["another JSON", '{"name":"x"}\n'],
    ["a log", "[INFO] started\n{}"],
    ["a list", "[1,2,3]"],
    ["JSON that nests too deep", "[".repeat(100_000)],
  ])("%s", async (_what, text) => {
    await expect(replayGreet(text)).rejects.toThrow(
      new TypeError("Not a recording: the first line is not a recording header"),
    );
  });

  test("a later version", async () => {
    await expect(replayGreet('{"toolwright":"recording","version":2}')).rejects.toThrow(
      new TypeError("Unsupported recording version 2: only version 1 can be read"),
    );
  });
});

describe("an incomplete recording", () => {
  test("is replayed up to a truncated last line", async () => {
    const report = await replayGreet(`${fileOf(...greeting)}${request(2, "tools/call").slice(0, 30)}`);
    expect(summary(report)).toEqual([["tools/call", "same", undefined]]);
    expect(report.notes).toEqual(["Line 4 is not a complete message and was skipped"]);
  });

  test("is replayed without its unreadable lines", async () => {
    const report = await replayGreet(fileOf("}{", "[]", '{"at":1}', "", ...greeting, "[".repeat(5000)));
    expect(summary(report)).toEqual([["tools/call", "same", undefined]]);
    expect(report.notes).toEqual([2, 3, 4, 8].map((line) => `Line ${line} is not a complete message and was skipped`));
  });

  test("without its beginning is replayed in a session", async () => {
    const report = await replayGreet(
      fileOf(response(7, {}), frame("client", { message: { jsonrpc: "2.0", id: 3, result: {} } }), ...greeting),
    );
    expect(summary(report)).toEqual([["tools/call", "same", undefined]]);
  });

  test("without its end skips requests that were never answered", async () => {
    const text = fileOf(
      request(1, "tools/call", { name: "wait", arguments: {} }),
      ...greeting.map((line) => line.replace('"id":1', '"id":2')),
    );
    const report = await replay(text, { server: create([greet, wait]) });
    expect(summary(report)).toEqual([
      ["tools/call", "skipped", "the recording has no response"],
      ["tools/call", "same", undefined],
    ]);
  });

  test("of several processes keeps their sessions apart", async () => {
    const second = HEADER.replace("2026-01-01", "2026-01-02");
    const text = `${fileOf(greeting[0] as string)}${second}\n${greeting.join("\n")}\n`;
    expect(summary(await replayGreet(text))).toEqual([
      ["tools/call", "skipped", "the recording has no response"],
      ["tools/call", "same", undefined],
    ]);
  });
});

describe("a recorded handshake", () => {
  const initialize = (id: number) =>
    request(id, "initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "c", version: "1" },
    });
  const result = { protocolVersion: "2025-06-18", serverInfo: { name: "x", version: "1" } };

  test("is compared like any other request", async () => {
    const capabilities = { tools: { listChanged: false }, logging: {} };
    const report = await replayGreet(fileOf(initialize(0), response(0, { ...result, capabilities })));
    expect(summary(report)).toEqual([["initialize", "same", undefined]]);
    const other = await replayGreet(
      fileOf(initialize(0), response(0, { ...result, capabilities: {}, instructions: "Be kind." })),
    );
    expect(other.requests[0]?.differences.map(({ path }) => path)).toEqual([
      "instructions",
      "capabilities.logging",
      "capabilities.tools",
    ]);
  });

  test("that failed or was never answered is skipped", async () => {
    const error = { code: -32602, message: "No." };
    const rejection = frame("server", { message: { jsonrpc: "2.0", id: 0, error } });
    expect(summary(await replayGreet(fileOf(initialize(0), rejection, initialize(9), ...greeting)))).toEqual([
      ["initialize", "skipped", "it opened no session"],
      ["initialize", "skipped", "the recording has no response"],
      ["tools/call", "same", undefined],
    ]);
  });
});

describe("a request that cannot be sent again", () => {
  test("is reported, and the others are replayed", async () => {
    const report = await replayGreet(
      fileOf(
        frame("client", { text: "no json" }),
        frame("client", { cut: 70_000, head: '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"gre' }),
        response(5, hello("?")),
        ...greeting,
        request(2, "tools/call", { name: "greet", arguments: { name: "Bob" } }),
        frame("server", { cut: 90_000, head: '{"jsonrpc":"2.0","id":2,"result":{"content":[' }),
        request(3, "tasks/get", { taskId: "t" }),
        response(3, { status: "working" }),
      ),
    );
    expect(summary(report)).toEqual([
      ["tools/call", "same", undefined],
      ["tools/call", "not compared", "its response was truncated in the recording"],
      ["tasks/get", "skipped", "task ids differ in every run"],
    ]);
    expect(report.notes).toEqual([2, 3].map((line) => `Line ${line} is not a complete message and was skipped`));
  });

  test("because the revision does not have its method is skipped", async () => {
    const report = await replayGreet(
      fileOf(request(1, "ping"), response(1, {}), request("a", "no/such"), ...greeting),
      {
        revision: "2026-07-28",
      },
    );
    expect(summary(report)).toEqual([
      ["ping", "skipped", "2026-07-28 has no ping"],
      ["no/such", "skipped", "the recording has no response"],
      ["tools/call", "same", undefined],
    ]);
  });
});

describe("redacted secrets", () => {
  const redacted = fileOf(
    request(1, "tools/call", { name: "greet", arguments: { name: "[redacted]" } }),
    response(1, hello("[redacted], welcome")),
    request(2, "tools/call", { name: "greet", arguments: { name: "Ada" } }),
    response(2, { content: "[redacted]", isError: false }),
    request(3, "tools/call", { name: "greet", arguments: { name: "Ada Lovelace" } }),
    response(3, hello("[redacted]lace")),
  );

  test("match any text", async () => {
    const { requests } = await replayGreet(redacted);
    expect(requests.map(({ verdict, isRedacted }) => [verdict, isRedacted])).toEqual([
      ["differs", true],
      ["same", false],
      ["same", false],
    ]);
  });

  test("cause a request to be skipped with skipRedacted", async () => {
    const report = await replayGreet(redacted, { skipRedacted: true });
    expect(summary(report)[0]).toEqual(["tools/call", "skipped", "secrets in the request were redacted"]);
  });
});

describe("the option ignore", () => {
  const differing = fileOf(
    request(1, "tools/call", { name: "greet", arguments: { name: "Ada" } }),
    response(1, { content: [{ type: "text", text: "Hi", when: 1 }], isError: false, more: { at: { now: 5 } } }),
  );

  test.each([
    [[], ["content.0.text", "content.0.when", "more"]],
    [["content"], ["more"]],
    [["content.0.text"], ["content.0.when", "more"]],
    [["content.*.text", "more"], ["content.0.when"]],
    [["**.text", "more"], ["content.0.when"]],
    [["**"], []],
    [
      ["content.0.tex", "content.text", "*.text"],
      ["content.0.text", "content.0.when", "more"],
    ],
  ])("set to %j leaves the differences %j", async (ignore, left) => {
    const { requests } = await replayGreet(differing, { ignore });
    expect(requests.flatMap(({ differences }) => differences.map(({ path }) => path))).toEqual(left);
  });
});

describe("the option session", () => {
  test("selects one session", async () => {
    const text = fileOf(...greeting, ...greeting.map((line) => line.replace('"session":1', '"session":2')));
    expect((await replayGreet(text)).requests.map(({ session }) => session)).toEqual([1, 2]);
    expect((await replayGreet(text, { session: 2 })).requests.map(({ session }) => session)).toEqual([2]);
  });
});

describe("expectReplayMatches", () => {
  const recorded = () =>
    record(create([greet, deploy]), async (server) => {
      const client = await connectTestClient(server);
      await client.callTool("greet", { name: "Ada" });
      client.close();
    });

  test("returns the report", async () => {
    const { requests } = await expectReplayMatches(create([greet, deploy]), await recorded(), {
      revision: "2025-03-26",
    });
    expect(requests.map(({ name, verdict }) => [name, verdict])).toEqual([["greet", "same"]]);
  });

  test("rejects with every difference", async () => {
    await expect(expectReplayMatches(create([deploy]), await recorded())).rejects.toThrow(
      /^1 of 1 requests differ from the recording:\ntools\/call greet\n {2}result: \{.*\} became nothing\n {2}error: nothing became \{"code":-32602,.*\}$/,
    );
  });

  test("rejects if there is nothing to compare", async () => {
    await expect(expectReplayMatches(create([greet]), fileOf())).rejects.toThrow(
      "The recording has no request that could be replayed and compared",
    );
  });
});
