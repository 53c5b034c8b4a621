import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { faultsOf } from "./legality.js";
import { codeOf, type OfficialClient, officialClients } from "./official-clients.js";
import type { Answer, Given, Peer } from "./peer.js";
import { Station } from "./station.js";
import type { Wire } from "./wire.js";

const server = fileURLToPath(new URL("../../packages/engine/test/stdio/servers/workshop.mjs", import.meta.url));

const accept: Answer = () => ({ action: "accept", content: { sure: true } });
const text = ({ content }: Given) => content.map((block) => block.text).join("\n");
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until something holds. */
async function until(holds: () => boolean, what: string): Promise<void> {
  for (let waited = 0; !holds(); waited += 10) {
    if (waited > 20_000) throw new Error(`Waited in vain for ${what}`);
    await sleep(10);
  }
}

describe.each(officialClients)("the official client $name", (official: OfficialClient) => {
  const { revision, way } = official;
  const station = new Station(server, way);
  const isStateless = revision === "2026-07-28";
  const hasStructured = revision >= "2025-06-18";
  let last: Wire<unknown> | undefined;

  async function open(answer: Answer = accept, onToolsChanged = (_names: readonly string[]) => {}): Promise<Peer> {
    const { peer, wire } = await official.open(station, { answer, onToolsChanged });
    last = wire;
    return peer;
  }

  /** Closes the client: a server that it has started has to end with it, and all that was said has to be legal. */
  async function close(peer: Peer): Promise<void> {
    await peer.close();
    if (way === "stdio") {
      await until(() => last?.isRunning() === false, "the end of the server");
      expect(last?.stderr()).toContain("[STDOUT] a pack closes\n");
    } else expect(last?.isRunning()).toBe(true);
    expect(faultsOf(revision, last?.spoken ?? [])).toEqual([]);
  }

  beforeAll(() => station.open());
  afterEach(() => {
    last = undefined;
  });
  afterAll(() => station.close());

  test("agrees on the revision and lists the tools", async () => {
    const peer = await open();
    const tools = await peer.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["echo", "lookup", "confirm"]));
    const lookup = tools.find(({ name }) => name === "lookup");
    expect(lookup?.outputSchema !== undefined).toBe(hasStructured);
    expect(lookup?.title).toBe(hasStructured ? "Look up" : undefined);
    expect(lookup?.annotations).toEqual(revision === "2024-11-05" ? undefined : { readOnlyHint: true });
    const agreed = last?.spoken.map(({ message }) => message as { result?: { protocolVersion?: string } });
    const versions = agreed?.flatMap(({ result }) => result?.protocolVersion ?? []);
    expect(versions).toEqual(isStateless ? [] : [revision]);
    await close(peer);
  });

  test("calls tools and gets text, structured content and failures", async () => {
    const peer = await open();
    await peer.listTools();
    expect(text(await peer.callTool("echo", { text: "grüezi €𝄞" }))).toBe("grüezi €𝄞");
    const found = await peer.callTool("lookup", { text: "word" });
    expect(found.structuredContent).toEqual(hasStructured ? { word: "word", length: 4 } : undefined);
    expect(JSON.parse(text(found))).toEqual({ word: "word", length: 4 });
    const failed = await peer.callTool("fail");
    expect([failed.isError, text(failed)]).toEqual([true, "The shelf is empty. Try another one."]);
    const wrong = await peer.callTool("echo", { txt: "a" });
    expect(wrong.isError).toBe(true);
    expect(text(wrong)).toContain('Invalid arguments for "echo":');
    // Clients hold structured content against the output schema even in a failure; the words must get through all the same.
    const refused = await peer.callTool("lookup", { txt: "a" });
    expect([refused.isError, text(refused).includes('Invalid arguments for "lookup":')]).toEqual([true, true]);
    expect(codeOf(await peer.callTool("ecko", {}).catch((error: unknown) => error))).toBe(-32602);
    await close(peer);
  });

  // These clients drop reports that they read in one piece with the result, which happens when they themselves are held up.
  test("hears every report of progress, also the last one, each time", { retry: 3 }, async () => {
    const peer = await open();
    for (let round = 0; round < 8; round += 1) {
      for (const [name, args, expected] of [
        ["steps", { count: 4 }, [1, 2, 3, 4]],
        ["burst", {}, [1, 2, 3]],
      ] as const) {
        const heard: number[] = [];
        const given = await peer.callTool(name, args, { onprogress: ({ progress }) => void heard.push(progress) });
        expect(given.isError ?? false).toBe(false);
        expect(heard, `${name}, round ${round}`).toEqual(expected);
      }
    }
    await close(peer);
  });

  test("is asked, and its answer reaches the tool", async () => {
    const questions: string[] = [];
    const peer = await open(({ message }) => {
      questions.push(message);
      return questions.length === 1 ? { action: "accept", content: { sure: true } } : { action: "decline" };
    });
    if (!hasStructured) {
      const given = await peer.callTool("confirm");
      expect(given.isError).toBe(true);
      expect(text(given)).toBe(
        "This tool cannot send elicitation/create: the client's revision does not support elicitation.",
      );
      expect(questions).toEqual([]);
    } else {
      expect(text(await peer.callTool("confirm"))).toBe("sure: true");
      expect(text(await peer.callTool("confirm"))).toBe("declined");
      expect(questions).toEqual(["Really?", "Really?"]);
    }
    await close(peer);
  });

  test("hears that the tools have changed", async () => {
    const changes: (readonly string[])[] = [];
    const peer = await open(accept, (names) => void changes.push(names));
    expect(text(await peer.callTool("grow"))).toBe("grown");
    await until(() => changes.length > 0, "a change");
    expect(changes[0]).toContain("grown");
    expect(text(await peer.callTool("grown"))).toBe("here");
    await close(peer);
  });

  test("cancels a call, which stops the tool and nothing else", async () => {
    const peer = await open();
    const stop = new AbortController();
    const gone = peer.callTool("stoppable", {}, { signal: stop.signal }).then(
      () => "answered",
      () => "given up",
    );
    const other = peer.callTool("wait_for", { text: "gate" }).then(text, String);
    await until(() => last?.stderr().includes("running\n") === true, "the tool to run");
    stop.abort("no longer needed");
    expect(await gone).toBe("given up");
    await until(() => last?.stderr().includes("stopped: ") === true, "the tool to stop");
    await peer.callTool("open", { text: "gate" });
    expect(await other).toBe("gate is open");
    await close(peer);
  });

  test("gets a hundred answers to a hundred calls at once", async () => {
    const peer = await open();
    const calls = Array.from({ length: 100 }, (_, at) => peer.callTool("echo", { text: `${at}` }));
    expect((await Promise.all(calls)).map(text)).toEqual(Array.from({ length: 100 }, (_, at) => `${at}`));
    await close(peer);
  });
});
