import { randomUUID } from "node:crypto";
import { recordingOf, resourceTemplate, serveHttp, serveWebSocket, tool } from "@toolwright/engine";
import { connect, replay } from "@toolwright/engine/client";
import { connect as connectInMemory } from "@toolwright/engine/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { add, create, deploy, greet, wait } from "./recorded.js";

/** What is not as it was, and how many requests were compared. */
async function differencesOf(...given: Parameters<typeof replay>) {
  const { requests } = await replay(...given);
  return {
    compared: requests.filter(({ verdict }) => verdict === "same" || verdict === "differs").length,
    differences: requests.flatMap(({ differences }) => differences),
  };
}

describe("requests that stand alone", () => {
  test("belong together over however many connections they came, with the rounds of their questions", async () => {
    const server = create([greet, deploy]);
    const serving = await serveHttp(server, { port: 0 });
    onTestFinished(() => serving.close());
    const client = await connect(
      { url: serving.url },
      { revision: "2026-07-28", onElicit: () => ({ action: "accept", content: { sure: true } }) },
    );
    await client.callTool("deploy", { service: "shop" });
    await client.callTool("deploy", { service: "blog" });
    await client.callTool("greet", { name: "Ada" });
    await client.close();
    const text = recordingOf(server);
    for (const revision of ["2026-07-28", "2025-11-25", "2025-06-18"]) {
      const { requests } = await replay(text, { server: create([greet, deploy]) }, { revision });
      expect(requests.map(({ name, verdict }) => [name, verdict]).slice(-3)).toEqual([
        ["deploy", "same"],
        ["deploy", "same"],
        ["greet", "same"],
      ]);
    }
  });
});

describe("conversations at the same time", () => {
  test("are played in the order in which all was said", async () => {
    const createCounter = () => {
      let count = 0;
      return create([tool({ name: "next", description: "Counts.", run: () => `${(count += 1)}` })]);
    };
    const server = createCounter();
    const [ada, bob] = [
      await connectInMemory(server, { revision: "2025-11-25" }),
      await connectInMemory(server, { revision: "2024-11-05" }),
    ];
    await ada.callTool("next");
    await bob.callTool("next");
    await ada.callTool("next");
    const serving = await serveWebSocket(createCounter(), { port: 0 });
    onTestFinished(() => serving.close());
    expect(await differencesOf(recordingOf(server), { url: serving.url })).toEqual({ compared: 5, differences: [] });
  });
});

describe("batches", () => {
  test("are as many requests", async () => {
    const server = create([greet, add]);
    const client = await connectInMemory(server, { revision: "2025-03-26" });
    client.say([
      { jsonrpc: "2.0", id: "a", method: "tools/call", params: { name: "greet", arguments: { name: "Ada" } } },
      { jsonrpc: "2.0", id: "b", method: "tools/call", params: { name: "add", arguments: { a: 1, b: 2 } } },
    ]);
    await client.callTool("greet", { name: "Bob" });
    const played = await differencesOf(
      recordingOf(server),
      { server: create([greet, add]) },
      { revision: "2026-07-28" },
    );
    expect(played).toEqual({ compared: 4, differences: [] });
  });
});

describe("ids beyond what a number can hold", () => {
  const first = "9007199254740992";
  const second = "9007199254740993";

  function createDoors() {
    const open: (() => void)[] = [];
    const pass = tool({
      name: "pass",
      description: "Waits for the next one.",
      input: z.object({ name: z.string(), length: z.number() }),
      async run({ name, length }) {
        if (name === "first") await new Promise<void>((resolve) => open.push(resolve));
        else setImmediate(() => open.shift()?.());
        return name.repeat(length);
      },
    });
    return create([pass, wait], { recorder: { characters: 32_000 } });
  }

  const call = (id: string, name: string, args: object) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${JSON.stringify(args)}}}`;

  test.each([
    ["kept", 1, "same"],
    ["cut", 1000, "not compared"],
  ])("are told apart, where the answer was %s", async (_how, length, verdict) => {
    const server = createDoors();
    const client = await connectInMemory(server, { revision: "2025-11-25" });
    client.sayText(call(first, "pass", { name: "first", length }));
    client.sayText(call(second, "pass", { name: "second", length: 1 }));
    await vi.waitFor(() => expect(client.conversation).toHaveLength(5));
    const text = recordingOf(server);
    expect(text).toContain(`"id":"${second}"`);
    const { requests } = await replay(text, { server: createDoors() });
    expect(requests.map((request) => [request.verdict, request.reason]).slice(1)).toEqual([
      [verdict, verdict === "same" ? undefined : expect.stringMatching("^its answer had")],
      ["same", undefined],
    ]);
  });

  test("are those of what is cancelled", async () => {
    const server = createDoors();
    const client = await connectInMemory(server, { revision: "2025-11-25" });
    for (const id of [first, second]) client.sayText(call(id, "wait", {}));
    client.sayText(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${first}}}`);
    const { requests } = await replay(recordingOf(server), { server: createDoors() });
    expect(requests.map(({ reason }) => reason).slice(1)).toEqual([
      "it was cancelled",
      "the recording has no answer to it",
    ]);
  });
});

describe("what is another each time", () => {
  const createNotes = () => {
    const notes = new Map<string, string>();
    const keep = tool({
      name: "keep",
      description: "Keeps a note.",
      input: z.object({ text: z.string() }),
      run({ text }) {
        const id = randomUUID();
        notes.set(id, text);
        return { id };
      },
    });
    const find = tool({
      name: "find",
      description: "Finds a note.",
      input: z.object({ id: z.string() }),
      run: ({ id }) => ({ id, text: notes.get(id) ?? "none" }),
    });
    return create([keep, find]);
  };

  test("ids are told once, and what stands for them is sent", async () => {
    const server = createNotes();
    const client = await connectInMemory(server);
    const { structuredContent } = await client.callTool("keep", { text: "milk" });
    await client.callTool("find", { ...(structuredContent as { id: string }) });
    const text = recordingOf(server);
    const { differences } = await differencesOf(text, { server: createNotes() });
    expect(differences.map(({ path }) => path)).toEqual(["content.0.text.id"]);
    const ignored = await differencesOf(text, { server: createNotes() }, { ignore: ["**.id"] });
    expect(ignored).toEqual({ compared: 2, differences: [] });
  });

  test("URIs are told once too, also where they name what was read", async () => {
    const createLetters = () => {
      const write = tool({
        name: "write",
        description: "Writes a letter.",
        run: () => ({ uri: `letter://${randomUUID()}` }),
      });
      const letter = resourceTemplate({ uri: "letter://{id}", name: "letter", read: () => "Dear Ada" });
      return create([write], { resources: [letter] });
    };
    const server = createLetters();
    const client = await connectInMemory(server);
    const { structuredContent } = await client.callTool("write");
    await client.request("resources/read", { ...(structuredContent as { uri: string }) });
    const { compared, differences } = await differencesOf(recordingOf(server), { server: createLetters() });
    expect([compared, differences.map(({ path }) => path)]).toEqual([2, ["content.0.text.uri"]]);
  });

  test("cursors lead from page to page", async () => {
    const createMany = (prefix: string) =>
      create(
        Array.from({ length: 5 }, (_, at) =>
          tool({ name: `${prefix}${at}`, description: "One of many.", run: () => "" }),
        ),
        { limits: { pageSize: 2 } },
      );
    const server = createMany("a");
    const client = await connectInMemory(server);
    await client.listTools();
    expect(await differencesOf(recordingOf(server), { server: createMany("a") }, { revision: "2025-06-18" })).toEqual({
      compared: 3,
      differences: [],
    });
  });
});

describe("a client that refused to answer", () => {
  test("refuses again", async () => {
    const server = create([deploy]);
    const client = await connectInMemory(server, { revision: "2025-11-25", answers: {} });
    await client.callTool("deploy", { service: "shop" });
    const text = recordingOf(server);
    expect(text).toContain('"error":{"code":1,');
    expect(await differencesOf(text, { server: create([deploy]) })).toEqual({ compared: 2, differences: [] });
  });
});
