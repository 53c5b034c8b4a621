import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openMemory } from "../transports/memory.js";
import type { TransportLink } from "./link.js";
import type { LogEntry } from "./log.js";
import { type PackContents, pack } from "./pack.js";
import { createServer, type Server } from "./server.js";
import { tool } from "./tool.js";

const named = (name: string) => tool({ name, description: "d", run: () => name });

/** A server with packs that note their deeds. */
function serverOf(packs: Record<string, Partial<PackContents> & { open?: () => Promise<void> }>, log: LogEntry[] = []) {
  const deeds: string[] = [];
  const server = createServer({
    name: "test",
    version: "1.0.0",
    dynamic: true,
    log: (entry) => void log.push(entry),
    packs: Object.entries(packs).map(([name, { open, ...contents }]) => {
      const made = pack({
        name,
        async open() {
          deeds.push(`open ${name}`);
          await open?.();
          return { tools: [], close: () => void deeds.push(`close ${name}`), ...contents };
        },
      });
      return made();
    }),
  });
  return { server, deeds };
}

function fail(message: string): never {
  throw new Error(message);
}

async function failureOf(deed: Promise<unknown>): Promise<Error> {
  return deed.then(
    () => expect.fail("it did not fail"),
    (error: unknown) => error as Error,
  );
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

async function listen(server: Server): Promise<{ heard: { id?: string; method?: string }[]; close: () => void }> {
  const heard: { id?: string; method?: string }[] = [];
  const connection = await openMemory(server, (message) => void heard.push(JSON.parse(message) as never));
  const params = { notifications: { toolsListChanged: true }, _meta: META };
  connection.send(JSON.stringify({ jsonrpc: "2.0", id: "s", method: "subscriptions/listen", params }));
  return { heard, close: () => connection.close() };
}

describe("closing a server", () => {
  test("closes the packs, last first, and only once", async () => {
    const { server, deeds } = serverOf({ a: {}, b: {} });
    await server.start();
    await server.close();
    await server.close();
    expect(deeds).toEqual(["open a", "open b", "close b", "close a"]);
  });

  test("ends for everybody who asks when all is closed, and with the same failures", async () => {
    let isClosed = false;
    const close = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      isClosed = true;
      fail("busy");
    };
    const { server } = serverOf({ a: { close } });
    await server.start();
    void server.close().catch(() => undefined);
    const error = await failureOf(server.close());
    expect(isClosed).toBe(true);
    expect(error.message).toBe('Cannot close pack "a": busy');
  });

  test("closes every pack though some fail, and tells all failures", async () => {
    const close = (message: string) => () => fail(message);
    const { server, deeds } = serverOf({
      a: { close: close("no disk") },
      b: {},
      c: { close: async () => fail("busy") },
    });
    await server.start();
    const error = await failureOf(server.close());
    expect(deeds.at(-1)).toBe("close b");
    expect(error).toBeInstanceOf(AggregateError);
    expect(error.message).toBe('Cannot close pack "c": busy; Cannot close pack "a": no disk');
    expect((error as AggregateError).errors.map((each: Error) => (each.cause as Error).message)).toEqual([
      "busy",
      "no disk",
    ]);
  });

  test("ends the open conversations first: subscriptions get their result", async () => {
    const { server, deeds } = serverOf({ a: {} });
    const { heard } = await listen(server);
    const closed = server.close();
    expect(heard.map(({ id, method }) => id ?? method)).toEqual([
      "notifications/subscriptions/acknowledged",
      "notifications/cancelled",
      "s",
    ]);
    await closed;
    expect(deeds).toEqual(["open a", "close a"]);
  });

  test("goes on when a conversation can no longer be told", async () => {
    const { server, deeds } = serverOf({ a: {} });
    await server.start();
    const link: TransportLink = {
      session: server.openSession(() => undefined),
      principal: undefined,
      send: (message) => void (message.includes("cancelled") && fail("gone")),
      answer: () => undefined,
    };
    const params = { notifications: {}, _meta: META };
    server.receive(JSON.stringify({ jsonrpc: "2.0", id: "s", method: "subscriptions/listen", params }), link);
    await server.close();
    expect(deeds).toEqual(["open a", "close a"]);
  });

  test("says nothing to conversations that are closed already", async () => {
    const { server } = serverOf({});
    const { heard, close } = await listen(server);
    close();
    const before = heard.length;
    await server.close();
    expect(heard).toHaveLength(before);
  });

  test("while packs open closes what is open at once, and the one that opens as soon as it is open", async () => {
    let goOn = (): void => undefined;
    const opening = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { server, deeds } = serverOf({ a: {}, b: { open: () => opening }, c: {} });
    const failure = failureOf(server.start());
    while (deeds.length < 2) await turn();
    await server.close();
    expect(deeds).toEqual(["open a", "open b", "close a"]);
    goOn();
    expect((await failure).message).toBe('Cannot open pack "b": the server has been closed');
    expect(deeds).toEqual(["open a", "open b", "close a", "close b"]);
  });
});

describe("opening packs", () => {
  test("of a server that has been closed opens none", async () => {
    const { server, deeds } = serverOf({ a: {} });
    await server.close();
    expect((await failureOf(server.start())).message).toBe('Cannot open pack "a": the server has been closed');
    expect(deeds).toEqual([]);
  });

  test("that fails says which one and why, and closes those that are open", async () => {
    const { server, deeds } = serverOf({ a: {}, b: { open: async () => fail("no disk") }, c: {} });
    const error = await failureOf(server.start());
    expect(error.message).toBe('Cannot open pack "b": no disk');
    expect((error.cause as Error).message).toBe("no disk");
    expect(deeds).toEqual(["open a", "open b", "close a"]);
    expect(await failureOf(server.start())).toBe(error);
  });

  test("that fails logs what cannot be closed, and tells the first failure", async () => {
    const log: LogEntry[] = [];
    const { server } = serverOf({ a: { close: () => fail("busy") }, b: { open: async () => fail("no disk") } }, log);
    expect((await failureOf(server.start())).message).toBe('Cannot open pack "b": no disk');
    expect(log.map(({ message }) => message)).toEqual(['Cannot close pack "a": busy']);
  });

  test("names a pack made by hand that fails or gives nothing", async () => {
    const start = (open: () => unknown) =>
      failureOf(createServer({ name: "t", version: "1", packs: [{ name: "own", open: open as never }] }).start());
    expect((await start(() => fail("no disk"))).message).toBe('Cannot open pack "own": no disk');
    expect((await start(() => Promise.reject(Object.create(null)))).message).toMatch(
      /^Cannot open pack "own": \[Object/,
    );
    expect((await start(async () => undefined)).message).toBe(
      'Cannot open pack "own": open() gave no list of tools, prompts or resources',
    );
    expect((await start(async () => ({ tools: "x" }))).message).toBe(
      'Cannot open pack "own": open() gave no list of tools, prompts or resources',
    );
  });

  test("offers the tools of all, after those that are there", async () => {
    const { server } = serverOf({ a: { tools: [named("a1"), named("a2")] }, b: { tools: [named("b1")] } });
    const started = server.start();
    server.addTool(named("meanwhile"));
    await started;
    expect(server.tools.map(({ name }) => name)).toEqual(["meanwhile", "a1", "a2", "b1"]);
  });

  test("with two tools of one name fails, and closes them", async () => {
    const { server, deeds } = serverOf({ a: { tools: [named("x")] }, b: { tools: [named("x")] } });
    expect((await failureOf(server.start())).message).toBe('Cannot register tool "x": the name "x" is taken');
    expect(deeds).toEqual(["open a", "open b", "close b", "close a"]);
  });
});
