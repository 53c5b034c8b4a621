import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { TransportConnection } from "../../src/server/connection.js";
import { type PackContents, pack } from "../../src/server/definitions/pack.js";
import { tool } from "../../src/server/definitions/tool.js";
import type { LogEntry } from "../../src/server/logging/log.js";
import { McpServer, type Server } from "../../src/server/server.js";
import { openMemoryConnection } from "../../src/transports/memory.js";

const named = (name: string) => tool({ name, description: "d", run: () => name });

/** A server with packs that record when they are opened and closed. */
function serverOf(packs: Record<string, Partial<PackContents> & { open?: () => Promise<void> }>, log: LogEntry[] = []) {
  const events: string[] = [];
  const server = new McpServer({
    name: "test",
    version: "1.0.0",
    dynamic: true,
    log: (entry) => void log.push(entry),
    packs: Object.entries(packs).map(([name, { open, ...contents }]) => {
      const made = pack({
        name,
        async open() {
          events.push(`open ${name}`);
          await open?.();
          return { tools: [], close: () => void events.push(`close ${name}`), ...contents };
        },
      });
      return made();
    }),
  });
  return { server, events };
}

function fail(message: string): never {
  throw new Error(message);
}

async function failureOf(action: Promise<unknown>): Promise<Error> {
  return action.then(
    () => expect.fail("it did not fail"),
    (error: unknown) => error as Error,
  );
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

async function listen(server: Server): Promise<{ received: { id?: string; method?: string }[]; close: () => void }> {
  const received: { id?: string; method?: string }[] = [];
  const connection = await openMemoryConnection(server, (message) => void received.push(JSON.parse(message) as never));
  const params = { notifications: { toolsListChanged: true }, _meta: META };
  connection.send(JSON.stringify({ jsonrpc: "2.0", id: "s", method: "subscriptions/listen", params }));
  return { received, close: () => connection.close() };
}

describe("closing a server", () => {
  test("closes the packs, last first, and only once", async () => {
    const { server, events } = serverOf({ a: {}, b: {} });
    await server.start();
    await server.close();
    await server.close();
    expect(events).toEqual(["open a", "open b", "close b", "close a"]);
  });

  test("returns the same promise to every caller, with the same errors", async () => {
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

  test("closes every pack even if some fail, and reports all errors", async () => {
    const close = (message: string) => () => fail(message);
    const { server, events } = serverOf({
      a: { close: close("no disk") },
      b: {},
      c: { close: async () => fail("busy") },
    });
    await server.start();
    const error = await failureOf(server.close());
    expect(events.at(-1)).toBe("close b");
    expect(error).toBeInstanceOf(AggregateError);
    expect(error.message).toBe('Cannot close pack "c": busy; Cannot close pack "a": no disk');
    expect((error as AggregateError).errors.map((each: Error) => (each.cause as Error).message)).toEqual([
      "busy",
      "no disk",
    ]);
  });

  test("ends the open sessions first: subscriptions get their result", async () => {
    const { server, events } = serverOf({ a: {} });
    const { received } = await listen(server);
    const closed = server.close();
    expect(received.map(({ id, method }) => id ?? method)).toEqual([
      "notifications/subscriptions/acknowledged",
      "notifications/cancelled",
      "s",
    ]);
    await closed;
    expect(events).toEqual(["open a", "close a"]);
  });

  test("continues if a message to a session cannot be sent", async () => {
    const { server, events } = serverOf({ a: {} });
    await server.start();
    const link: TransportConnection = {
      session: server.openSession(() => undefined),
      principal: undefined,
      send: (message) => void (message.includes("cancelled") && fail("gone")),
      respond: () => undefined,
    };
    const params = { notifications: {}, _meta: META };
    server.receive(JSON.stringify({ jsonrpc: "2.0", id: "s", method: "subscriptions/listen", params }), link);
    await server.close();
    expect(events).toEqual(["open a", "close a"]);
  });

  test("sends nothing to sessions that are already closed", async () => {
    const { server } = serverOf({});
    const { received, close } = await listen(server);
    close();
    const before = received.length;
    await server.close();
    expect(received).toHaveLength(before);
  });

  test("while packs open closes the open ones at once, and a pack that is still opening as soon as it is open", async () => {
    let goOn = (): void => undefined;
    const opening = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { server, events } = serverOf({ a: {}, b: { open: () => opening }, c: {} });
    const failure = failureOf(server.start());
    while (events.length < 2) await turn();
    await server.close();
    expect(events).toEqual(["open a", "open b", "close a"]);
    goOn();
    expect((await failure).message).toBe('Cannot open pack "b": the server has been closed');
    expect(events).toEqual(["open a", "open b", "close a", "close b"]);
  });
});

describe("opening packs", () => {
  test("does nothing if the server has been closed", async () => {
    const { server, events } = serverOf({ a: {} });
    await server.close();
    expect((await failureOf(server.start())).message).toBe('Cannot open pack "a": the server has been closed');
    expect(events).toEqual([]);
  });

  test("fails with the name of the pack and the reason, and closes those that are open", async () => {
    const { server, events } = serverOf({ a: {}, b: { open: async () => fail("no disk") }, c: {} });
    const error = await failureOf(server.start());
    expect(error.message).toBe('Cannot open pack "b": no disk');
    expect((error.cause as Error).message).toBe("no disk");
    expect(events).toEqual(["open a", "open b", "close a"]);
    expect(await failureOf(server.start())).toBe(error);
  });

  test("fails with the first error, and logs packs that cannot be closed", async () => {
    const log: LogEntry[] = [];
    const { server } = serverOf({ a: { close: () => fail("busy") }, b: { open: async () => fail("no disk") } }, log);
    expect((await failureOf(server.start())).message).toBe('Cannot open pack "b": no disk');
    expect(log.map(({ message }) => message)).toEqual(['Cannot close pack "a": busy']);
  });

  test("names a pack that was created without pack() if it fails or returns nothing", async () => {
    const start = (open: () => unknown) =>
      failureOf(new McpServer({ name: "t", version: "1", packs: [{ name: "own", open: open as never }] }).start());
    expect((await start(() => fail("no disk"))).message).toBe('Cannot open pack "own": no disk');
    expect((await start(() => Promise.reject(Object.create(null)))).message).toMatch(
      /^Cannot open pack "own": \[Object/,
    );
    expect((await start(async () => undefined)).message).toBe(
      'Cannot open pack "own": open() must return an array of tools, prompts or resources',
    );
    expect((await start(async () => ({ tools: "x" }))).message).toBe(
      'Cannot open pack "own": open() must return an array of tools, prompts or resources',
    );
  });

  test("adds the tools of all packs after those of the server", async () => {
    const { server } = serverOf({ a: { tools: [named("a1"), named("a2")] }, b: { tools: [named("b1")] } });
    const started = server.start();
    server.addTool(named("meanwhile"));
    await started;
    expect(server.tools.map(({ name }) => name)).toEqual(["meanwhile", "a1", "a2", "b1"]);
  });

  test("fails if two tools have the same name, and closes the packs", async () => {
    const { server, events } = serverOf({ a: { tools: [named("x")] }, b: { tools: [named("x")] } });
    expect((await failureOf(server.start())).message).toBe('Cannot register tool "x": the name "x" is already taken');
    expect(events).toEqual(["open a", "open b", "close b", "close a"]);
  });
});
