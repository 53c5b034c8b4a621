import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Answer, CallResult, ClientUnderTest } from "./client-under-test.js";
import { codeOf, type OfficialClient, officialClients } from "./official-clients.js";
import type { RecordedTransport } from "./recorded-transport.js";
import { ServerTarget } from "./server-transport.js";
import { violationsOf } from "./violations.js";

const server = fileURLToPath(new URL("../../packages/engine/test/stdio/servers/workshop.mjs", import.meta.url));

const accept: Answer = () => ({ action: "accept", content: { sure: true } });
const text = ({ content }: CallResult) => content.map((block) => block.text).join("\n");
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until a condition is true. */
async function until(holds: () => boolean, what: string): Promise<void> {
  for (let waited = 0; !holds(); waited += 10) {
    if (waited > 20_000) throw new Error(`Timed out waiting for ${what}`);
    await sleep(10);
  }
}

describe.each(officialClients)("the official client $name", (official: OfficialClient) => {
  const { revision, transport } = official;
  const target = new ServerTarget(server, transport);
  const isStateless = revision === "2026-07-28";
  const hasStructured = revision >= "2025-06-18";
  let last: RecordedTransport<unknown> | undefined;

  async function open(
    answer: Answer = accept,
    onToolsChanged = (_names: readonly string[]) => {},
  ): Promise<ClientUnderTest> {
    const { client, recorded } = await official.open(target, { answer, onToolsChanged });
    last = recorded;
    return client;
  }

  /** Closes the client: a server that it has started must exit, and every message must be valid. */
  async function close(client: ClientUnderTest): Promise<void> {
    await client.close();
    if (transport === "stdio") {
      await until(() => last?.isRunning() === false, "the end of the server");
      expect(last?.stderr()).toContain("[STDOUT] a pack closes\n");
    } else expect(last?.isRunning()).toBe(true);
    expect(violationsOf(revision, last?.messages ?? [])).toEqual([]);
  }

  beforeAll(() => target.open());
  afterEach(() => {
    last = undefined;
  });
  afterAll(() => target.close());

  test("negotiates the revision and lists the tools", async () => {
    const client = await open();
    const tools = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["echo", "lookup", "confirm"]));
    const lookup = tools.find(({ name }) => name === "lookup");
    expect(lookup?.outputSchema !== undefined).toBe(hasStructured);
    expect(lookup?.title).toBe(hasStructured ? "Look up" : undefined);
    expect(lookup?.annotations).toEqual(revision === "2024-11-05" ? undefined : { readOnlyHint: true });
    const agreed = last?.messages.map(({ message }) => message as { result?: { protocolVersion?: string } });
    const versions = agreed?.flatMap(({ result }) => result?.protocolVersion ?? []);
    expect(versions).toEqual(isStateless ? [] : [revision]);
    await close(client);
  });

  test("calls tools and gets text, structured content and failures", async () => {
    const client = await open();
    await client.listTools();
    expect(text(await client.callTool("echo", { text: "grüezi €𝄞" }))).toBe("grüezi €𝄞");
    const found = await client.callTool("lookup", { text: "word" });
    expect(found.structuredContent).toEqual(hasStructured ? { word: "word", length: 4 } : undefined);
    expect(JSON.parse(text(found))).toEqual({ word: "word", length: 4 });
    const failed = await client.callTool("fail");
    expect([failed.isError, text(failed)]).toEqual([true, "The shelf is empty. Try another one."]);
    const wrong = await client.callTool("echo", { txt: "a" });
    expect(wrong.isError).toBe(true);
    expect(text(wrong)).toContain('Invalid arguments for "echo":');
    // Clients validate structured content against the output schema even for a failure; the text must get through all the same.
    const refused = await client.callTool("lookup", { txt: "a" });
    expect([refused.isError, text(refused).includes('Invalid arguments for "lookup":')]).toEqual([true, true]);
    expect(codeOf(await client.callTool("ecko", {}).catch((error: unknown) => error))).toBe(-32602);
    await close(client);
  });

  // These clients drop progress that they read in one chunk with the result, which happens when they are delayed.
  test("receives every progress notification, including the last one, each time", { retry: 3 }, async () => {
    const client = await open();
    for (let round = 0; round < 8; round += 1) {
      for (const [name, args, expected] of [
        ["steps", { count: 4 }, [1, 2, 3, 4]],
        ["burst", {}, [1, 2, 3]],
      ] as const) {
        const received: number[] = [];
        const given = await client.callTool(name, args, { onprogress: ({ progress }) => void received.push(progress) });
        expect(given.isError ?? false).toBe(false);
        expect(received, `${name}, round ${round}`).toEqual(expected);
      }
    }
    await close(client);
  });

  test("is elicited, and its answer reaches the tool", async () => {
    const questions: string[] = [];
    const client = await open(({ message }) => {
      questions.push(message);
      return questions.length === 1 ? { action: "accept", content: { sure: true } } : { action: "decline" };
    });
    if (!hasStructured) {
      const given = await client.callTool("confirm");
      expect(given.isError).toBe(true);
      expect(text(given)).toBe(
        "This tool cannot send elicitation/create: the client's revision does not support elicitation.",
      );
      expect(questions).toEqual([]);
    } else {
      expect(text(await client.callTool("confirm"))).toBe("sure: true");
      expect(text(await client.callTool("confirm"))).toBe("declined");
      expect(questions).toEqual(["Really?", "Really?"]);
    }
    await close(client);
  });

  test("is notified of changed tools", async () => {
    const changes: (readonly string[])[] = [];
    const client = await open(accept, (names) => void changes.push(names));
    expect(text(await client.callTool("grow"))).toBe("grown");
    await until(() => changes.length > 0, "a change");
    expect(changes[0]).toContain("grown");
    expect(text(await client.callTool("grown"))).toBe("here");
    await close(client);
  });

  test("cancels a call, which stops that tool only", async () => {
    const client = await open();
    const stop = new AbortController();
    const gone = client.callTool("stoppable", {}, { signal: stop.signal }).then(
      () => "answered",
      () => "given up",
    );
    const other = client.callTool("wait_for", { text: "gate" }).then(text, String);
    await until(() => last?.stderr().includes("running\n") === true, "the tool to run");
    stop.abort("no longer needed");
    expect(await gone).toBe("given up");
    await until(() => last?.stderr().includes("stopped: ") === true, "the tool to stop");
    await client.callTool("open", { text: "gate" });
    expect(await other).toBe("gate is open");
    await close(client);
  });

  test("gets a hundred responses to a hundred concurrent calls", async () => {
    const client = await open();
    const calls = Array.from({ length: 100 }, (_, at) => client.callTool("echo", { text: `${at}` }));
    expect((await Promise.all(calls)).map(text)).toEqual(Array.from({ length: 100 }, (_, at) => `${at}`));
    await close(client);
  });
});
