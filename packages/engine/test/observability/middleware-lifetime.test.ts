import { createServer, type LogEntry, type Middleware, pack, type ServerOptions, tool } from "@toolwright/engine";
import { connectTestClient } from "@toolwright/engine/testing";
import { expect, test } from "vitest";

const echo = tool({
  name: "echo",
  description: "Echoes.",
  input: { type: "object", properties: {} },
  run: () => "hello",
});

/** Middleware that records its events; `opens` is what its `open` does. */
function createMiddleware(name: string, events: string[], opens: Middleware["open"] = () => undefined): Middleware {
  const middleware: Middleware = (request, next) => {
    events.push(`${name} ${request.method}`);
    return next();
  };
  middleware.open = (host) => {
    events.push(`${name} opens for ${host.name}`);
    return opens?.(host);
  };
  middleware.close = () => void events.push(`${name} closes`);
  return middleware;
}

const notes = (events: string[]) =>
  pack({
    name: "notes",
    open: () => {
      events.push("the pack opens");
      return { tools: [echo], close: () => void events.push("the pack closes") };
    },
  });

const open = (options: Partial<ServerOptions>) => createServer({ name: "test", version: "1.0.0", ...options });

test("middleware opens before packs, outermost first, and closes after them in reverse order", async () => {
  const events: string[] = [];
  const middleware = [createMiddleware("outer", events), createMiddleware("inner", events)];
  const server = open({ middleware, packs: [notes(events)()] });
  await (await connectTestClient(server)).listTools();
  await server.close();
  expect(events).toEqual([
    "outer opens for test",
    "inner opens for test",
    "the pack opens",
    "outer tools/list",
    "inner tools/list",
    "the pack closes",
    "inner closes",
    "outer closes",
  ]);
});

test("middleware that returns false from open is left out and never closed", async () => {
  const events: string[] = [];
  const middleware = [
    createMiddleware("idle", events, () => false),
    createMiddleware("busy", events, async () => undefined),
  ];
  const server = open({ middleware, tools: [echo] });
  await (await connectTestClient(server)).listTools();
  await server.close();
  expect(events).toEqual(["idle opens for test", "busy opens for test", "busy tools/list", "busy closes"]);
});

test("if middleware cannot be opened the server does not start, and the others are closed", async () => {
  const events: string[] = [];
  const broken = createMiddleware("broken", events, async () => {
    throw new Error("Cannot open the vault: it is locked");
  });
  const server = open({ middleware: [createMiddleware("outer", events), broken], packs: [notes(events)()] });
  await expect(server.start()).rejects.toThrow("Cannot open the vault: it is locked");
  expect(events).toEqual(["outer opens for test", "broken opens for test", "outer closes"]);
});

test("a failed close is logged, and the others are closed", async () => {
  const events: string[] = [];
  const broken = createMiddleware("broken", events);
  broken.close = () => Promise.reject(new Error("it is locked"));
  const server = open({ middleware: [createMiddleware("outer", events), broken], tools: [echo] });
  await server.start();
  await expect(server.close()).rejects.toThrow("Cannot close a middleware: it is locked");
  expect(events).toEqual(["outer opens for test", "broken opens for test", "outer closes"]);
});

test("middleware has access to the log, the redaction and the registered names", async () => {
  const entries: LogEntry[] = [];
  const looks: unknown[] = [];
  const look = createMiddleware("look", [], (host) => {
    host.log({ level: "notice", message: "opened" });
    looks.push(host.version, host.redaction.text("say opensesame"));
    looks.push(host.has("tool", "echo"), host.has("tool", "made-up"), host.has("prompt", "echo"));
  });
  const log = (entry: LogEntry) => void entries.push(entry);
  await open({ middleware: [look], tools: [echo], log, redact: { values: ["opensesame"] } }).start();
  expect(looks).toEqual(["1.0.0", "say [redacted]", true, false, false]);
  expect(entries).toEqual([{ level: "notice", message: "opened" }]);
});
