import { type Replay, replay } from "@toolwright/engine/client";
import { connect, expectSame } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { create, deploy, greet, record, wait } from "./recorded.js";

const HEADER =
  '{"toolwright":"recording","version":1,"server":{"name":"x","version":"1"},"startedAt":"2026-01-01T00:00:00.000Z"}';
const frame = (from: "client" | "server", rest: object, session = 1) =>
  JSON.stringify({ at: 1, session, from, ...rest });
const ask = (id: unknown, method: string, params: object = {}) =>
  frame("client", { message: { jsonrpc: "2.0", id, method, params } });
const say = (id: unknown, result: object) => frame("server", { message: { jsonrpc: "2.0", id, result } });
const hello = (name: string) => ({ content: [{ type: "text", text: `Hello ${name}` }], isError: false });
const fileOf = (...lines: readonly string[]) => `${[HEADER, ...lines].join("\n")}\n`;
const play = (text: string, options = {}) => replay(text, { server: create([greet]) }, options);
const shown = ({ requests }: Replay) => requests.map(({ method, verdict, reason }) => [method, verdict, reason]);

const greeting = [ask(1, "tools/call", { name: "greet", arguments: { name: "Ada" } }), say(1, hello("Ada"))];

describe("what is no recording is refused:", () => {
  test.each([
    ["nothing", ""],
    ["text", "hello\nworld"],
    ["another JSON", '{"name":"x"}\n'],
    ["a log", "[INFO] started\n{}"],
    ["a list", "[1,2,3]"],
    ["JSON that nests too deep", "[".repeat(100_000)],
  ])("%s", async (_what, text) => {
    await expect(play(text)).rejects.toThrow(
      new TypeError("This is no recording: its first line does not say that it is one"),
    );
  });

  test("a version of tomorrow", async () => {
    await expect(play('{"toolwright":"recording","version":2}')).rejects.toThrow(
      new TypeError("This recording has version 2, and only version 1 can be read"),
    );
  });
});

describe("a recording that is not whole", () => {
  test("is played as far as it goes", async () => {
    const played = await play(`${fileOf(...greeting)}${ask(2, "tools/call").slice(0, 30)}`);
    expect(shown(played)).toEqual([["tools/call", "same", undefined]]);
    expect(played.notes).toEqual(["It ends in the middle of line 4: it is played as far as it goes"]);
  });

  test("is read past lines that say nothing", async () => {
    const played = await play(fileOf("}{", "[]", '{"at":1}', "", ...greeting, "[".repeat(5000)));
    expect(shown(played)).toEqual([["tools/call", "same", undefined]]);
    expect(played.notes).toEqual([2, 3, 4, 8].map((line) => `Line ${line} cannot be read, and is passed over`));
  });

  test("without its beginning is played in a session", async () => {
    const played = await play(
      fileOf(say(7, {}), frame("client", { message: { jsonrpc: "2.0", id: 3, result: {} } }), ...greeting),
    );
    expect(shown(played)).toEqual([["tools/call", "same", undefined]]);
  });

  test("without an end does not wait for what was never answered", async () => {
    const text = fileOf(
      ask(1, "tools/call", { name: "wait", arguments: {} }),
      ...greeting.map((line) => line.replace('"id":1', '"id":2')),
    );
    const played = await replay(text, { server: create([greet, wait]) });
    expect(shown(played)).toEqual([
      ["tools/call", "not compared", "the recording has no answer to it"],
      ["tools/call", "same", undefined],
    ]);
  });

  test("of several processes keeps their conversations apart", async () => {
    const second = HEADER.replace("2026-01-01", "2026-01-02");
    const text = `${fileOf(greeting[0] as string)}${second}\n${greeting.join("\n")}\n`;
    expect(shown(await play(text))).toEqual([
      ["tools/call", "not compared", "the recording has no answer to it"],
      ["tools/call", "same", undefined],
    ]);
  });
});

describe("a handshake", () => {
  const opening = (id: number) =>
    ask(id, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1" } });
  const result = { protocolVersion: "2025-06-18", serverInfo: { name: "x", version: "1" } };

  test("alone is a request like any other", async () => {
    const capabilities = { tools: { listChanged: false }, logging: {} };
    const played = await play(fileOf(opening(0), say(0, { ...result, capabilities })));
    expect(shown(played)).toEqual([["initialize", "same", undefined]]);
    const other = await play(fileOf(opening(0), say(0, { ...result, capabilities: {}, instructions: "Be kind." })));
    expect(other.requests[0]?.differences.map(({ path }) => path)).toEqual([
      "instructions",
      "capabilities.logging",
      "capabilities.tools",
    ]);
  });

  test("that was refused or never answered is not played", async () => {
    const error = { code: -32602, message: "No." };
    const refusal = frame("server", { message: { jsonrpc: "2.0", id: 0, error } });
    expect(shown(await play(fileOf(opening(0), refusal, opening(9), ...greeting)))).toEqual([
      ["initialize", "not played", "it opened no conversation"],
      ["initialize", "not played", "it opened no conversation"],
      ["tools/call", "same", undefined],
    ]);
  });
});

describe("what cannot be sent again", () => {
  test("is told, and the rest is played", async () => {
    const played = await play(
      fileOf(
        frame("client", { text: "no json" }),
        frame("client", { cut: 70_000, head: '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"gre' }),
        say(5, hello("?")),
        ...greeting,
        ask(2, "tools/call", { name: "greet", arguments: { name: "Bob" } }),
        frame("server", { cut: 90_000, head: '{"jsonrpc":"2.0","id":2,"result":{"content":[' }),
        ask(3, "tasks/get", { taskId: "t" }),
        say(3, { status: "working" }),
      ),
    );
    expect(shown(played)).toEqual([
      ["tools/call", "same", undefined],
      ["tools/call", "not compared", "its answer had 90000 characters, which were too many to keep"],
      ["a text", "not played", "it is no message"],
      ["tools/call", "not played", "it had 70000 characters, which were too many to keep"],
      ["tasks/get", "not played", "the ids of tasks are others each time"],
    ]);
  });

  test("because the revision has no such method is passed over", async () => {
    const played = await play(fileOf(ask(1, "ping"), say(1, {}), ask("a", "no/such"), ...greeting), {
      revision: "2026-07-28",
    });
    expect(shown(played)).toEqual([
      ["ping", "not played", "2026-07-28 has no ping"],
      ["no/such", "not compared", "the recording has no answer to it"],
      ["tools/call", "same", undefined],
    ]);
  });
});

describe("secrets", () => {
  const redacted = fileOf(
    ask(1, "tools/call", { name: "greet", arguments: { name: "[redacted]" } }),
    say(1, hello("[redacted], welcome")),
    ask(2, "tools/call", { name: "greet", arguments: { name: "Ada" } }),
    say(2, { content: "[redacted]", isError: false }),
    ask(3, "tools/call", { name: "greet", arguments: { name: "Ada Lovelace" } }),
    say(3, hello("[redacted]lace")),
  );

  test("that were taken out may have been anything", async () => {
    const { requests } = await play(redacted);
    expect(requests.map(({ verdict, isRedacted }) => [verdict, isRedacted])).toEqual([
      ["differs", true],
      ["same", false],
      ["same", false],
    ]);
  });

  test("keep requests from being sent, if that is wished", async () => {
    const played = await play(redacted, { skipRedacted: true });
    expect(shown(played)[0]).toEqual(["tools/call", "not played", "secrets were taken out of what was sent"]);
  });
});

describe("what is not compared", () => {
  const differing = fileOf(
    ask(1, "tools/call", { name: "greet", arguments: { name: "Ada" } }),
    say(1, { content: [{ type: "text", text: "Hi", when: 1 }], isError: false, more: { at: { now: 5 } } }),
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
  ])("with %j leaves %j", async (ignore, left) => {
    const { requests } = await play(differing, { ignore });
    expect(requests.flatMap(({ differences }) => differences.map(({ path }) => path))).toEqual(left);
  });
});

describe("one conversation", () => {
  test("can be played alone", async () => {
    const text = fileOf(...greeting, ...greeting.map((line) => line.replace('"session":1', '"session":2')));
    expect((await play(text)).requests.map(({ session }) => session)).toEqual([1, 2]);
    expect((await play(text, { session: 2 })).requests.map(({ session }) => session)).toEqual([2]);
  });
});

describe("expectSame", () => {
  const recorded = () =>
    record(create([greet, deploy]), async (server) => {
      const client = await connect(server);
      await client.callTool("greet", { name: "Ada" });
      client.close();
    });

  test("gives how each request went", async () => {
    const { requests } = await expectSame(create([greet, deploy]), await recorded(), { revision: "2025-03-26" });
    expect(requests.map(({ name, verdict }) => [name, verdict])).toEqual([["greet", "same"]]);
  });

  test("throws with every difference", async () => {
    await expect(expectSame(create([deploy]), await recorded())).rejects.toThrow(
      /^1 of 1 requests differ from the recording:\ntools\/call greet\n {2}result: \{.*\} became nothing\n {2}error: nothing became \{"code":-32602,.*\}$/,
    );
  });

  test("throws where there is nothing to compare", async () => {
    await expect(expectSame(create([greet]), fileOf())).rejects.toThrow(
      "The recording has no request that could be played and compared",
    );
  });
});
