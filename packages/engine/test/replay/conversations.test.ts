import { randomUUID } from "node:crypto";
import { resourceTemplate, tool } from "@toolwright/engine";
import { connect, replay } from "@toolwright/engine/client";
import { serveHttp } from "@toolwright/engine/http";
import { serializeRecording } from "@toolwright/engine/observability";
import { serveWebSocket } from "@toolwright/engine/sockets";
import { connectTestClient as connectInMemory } from "@toolwright/engine/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { add, create, deploy, greet } from "./recorded.js";

/** Replays, and returns the differences and the number of compared requests. */
async function differencesOf(...args: Parameters<typeof replay>) {
  const { requests } = await replay(...args);
  return {
    compared: requests.filter(({ verdict }) => verdict === "same" || verdict === "differs").length,
    differences: requests.flatMap(({ differences }) => differences),
  };
}

describe("stateless requests", () => {
  test("of several connections are one conversation, with all rounds of input", async () => {
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
    const text = serializeRecording(server);
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

describe("concurrent sessions", () => {
  test("are replayed in the order of their messages", async () => {
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
    expect(await differencesOf(serializeRecording(server), { url: serving.url })).toEqual({
      compared: 5,
      differences: [],
    });
  });
});

describe("batches", () => {
  test("are replayed as separate requests", async () => {
    const server = create([greet, add]);
    const client = await connectInMemory(server, { revision: "2025-03-26" });
    client.send([
      { jsonrpc: "2.0", id: "a", method: "tools/call", params: { name: "greet", arguments: { name: "Ada" } } },
      { jsonrpc: "2.0", id: "b", method: "tools/call", params: { name: "add", arguments: { a: 1, b: 2 } } },
    ]);
    await client.callTool("greet", { name: "Bob" });
    const report = await differencesOf(
      serializeRecording(server),
      { server: create([greet, add]) },
      { revision: "2026-07-28" },
    );
    expect(report).toEqual({ compared: 4, differences: [] });
  });
});

test("ids beyond Number.MAX_SAFE_INTEGER are distinguished", async () => {
  const release: (() => void)[] = [];
  const repeat = (isConcurrent: boolean) =>
    tool({
      name: "repeat",
      description: "Repeats a name; the first call ends after the second.",
      input: z.object({ name: z.string() }),
      async run({ name }) {
        if (isConcurrent && name === "first") await new Promise<void>((resolve) => release.push(resolve));
        else setImmediate(() => release.shift()?.());
        return name;
      },
    });
  const server = create([repeat(true)]);
  const client = await connectInMemory(server, { revision: "2025-11-25" });
  const call = (id: string, name: string) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"repeat","arguments":{"name":"${name}"}}}`;
  client.sendText(call("9007199254740992", "first"));
  client.sendText(call("9007199254740993", "second"));
  await vi.waitFor(() => expect(client.conversation).toHaveLength(5));
  const text = serializeRecording(server);
  expect(text).toContain('"id":"9007199254740993"');
  expect(await differencesOf(text, { server: create([repeat(false)]) })).toEqual({ compared: 3, differences: [] });
});

describe("values that differ in every run", () => {
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

  test("ids are reported once, and replaced in later requests", async () => {
    const server = createNotes();
    const client = await connectInMemory(server);
    const { structuredContent } = await client.callTool("keep", { text: "milk" });
    await client.callTool("find", { ...(structuredContent as { id: string }) });
    const text = serializeRecording(server);
    const { differences } = await differencesOf(text, { server: createNotes() });
    expect(differences.map(({ path }) => path)).toEqual(["content.0.text.id"]);
    const ignored = await differencesOf(text, { server: createNotes() }, { ignore: ["**.id"] });
    expect(ignored).toEqual({ compared: 2, differences: [] });
  });

  test("URIs are reported once, also where they identify a resource", async () => {
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
    const { compared, differences } = await differencesOf(serializeRecording(server), { server: createLetters() });
    expect([compared, differences.map(({ path }) => path)]).toEqual([2, ["content.0.text.uri"]]);
  });

  test("cursors are replaced by the actual ones", async () => {
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
    expect(
      await differencesOf(serializeRecording(server), { server: createMany("a") }, { revision: "2025-06-18" }),
    ).toEqual({
      compared: 3,
      differences: [],
    });
  });
});

describe("a client that rejected an input request", () => {
  test("rejects it again", async () => {
    const server = create([deploy]);
    const client = await connectInMemory(server, { revision: "2025-11-25", responses: {} });
    await client.callTool("deploy", { service: "shop" });
    const text = serializeRecording(server);
    expect(text).toContain('"error":{"code":1,');
    expect(await differencesOf(text, { server: create([deploy]) })).toEqual({ compared: 2, differences: [] });
  });
});
