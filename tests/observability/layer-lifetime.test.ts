import { createServer, type Layer, type LogEntry, pack, type ServerOptions, tool } from "@toolwright/engine";
import { connect } from "@toolwright/engine/testing";
import { expect, test } from "vitest";

const echo = tool({
  name: "echo",
  description: "Echoes.",
  input: { type: "object", properties: {} },
  run: () => "hello",
});

/** A layer that notes what happens to it; `opens` decides what its opening comes to. */
function createLayer(name: string, heard: string[], opens: Layer["open"] = () => undefined): Layer {
  const layer: Layer = (request, next) => {
    heard.push(`${name} ${request.method}`);
    return next();
  };
  layer.open = (host) => {
    heard.push(`${name} opens for ${host.name}`);
    return opens?.(host);
  };
  layer.close = () => void heard.push(`${name} closes`);
  return layer;
}

const notes = (heard: string[]) =>
  pack({
    name: "notes",
    open: () => {
      heard.push("the pack opens");
      return { tools: [echo], close: () => void heard.push("the pack closes") };
    },
  });

const open = (options: Partial<ServerOptions>) => createServer({ name: "test", version: "1.0.0", ...options });

test("layers open before the packs, outermost first, and close after them, the last first", async () => {
  const heard: string[] = [];
  const layers = [createLayer("outer", heard), createLayer("inner", heard)];
  const server = open({ layers, packs: [notes(heard)()] });
  await (await connect(server)).listTools();
  await server.close();
  expect(heard).toEqual([
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

test("a layer that has nothing to do is left out, and never closed", async () => {
  const heard: string[] = [];
  const layers = [createLayer("idle", heard, () => false), createLayer("busy", heard, async () => undefined)];
  const server = open({ layers, tools: [echo] });
  await (await connect(server)).listTools();
  await server.close();
  expect(heard).toEqual(["idle opens for test", "busy opens for test", "busy tools/list", "busy closes"]);
});

test("where one cannot be opened the server does not start, and those that are open are closed", async () => {
  const heard: string[] = [];
  const broken = createLayer("broken", heard, async () => {
    throw new Error("Cannot open the vault: it is locked");
  });
  const server = open({ layers: [createLayer("outer", heard), broken], packs: [notes(heard)()] });
  await expect(server.start()).rejects.toThrow("Cannot open the vault: it is locked");
  expect(heard).toEqual(["outer opens for test", "broken opens for test", "outer closes"]);
});

test("what cannot be closed is told, and keeps none of the others open", async () => {
  const heard: string[] = [];
  const broken = createLayer("broken", heard);
  broken.close = () => Promise.reject(new Error("it is locked"));
  const server = open({ layers: [createLayer("outer", heard), broken], tools: [echo] });
  await server.start();
  await expect(server.close()).rejects.toThrow("Cannot close a layer: it is locked");
  expect(heard).toEqual(["outer opens for test", "broken opens for test", "outer closes"]);
});

test("a layer can look at its server: its log, what is secret, and which names are not made up", async () => {
  const entries: LogEntry[] = [];
  const looks: unknown[] = [];
  const look = createLayer("look", [], (host) => {
    host.log({ level: "notice", message: "opened" });
    looks.push(host.version, host.redaction.text("say opensesame"));
    looks.push(host.offers("tool", "echo"), host.offers("tool", "made-up"), host.offers("prompt", "echo"));
  });
  const log = (entry: LogEntry) => void entries.push(entry);
  await open({ layers: [look], tools: [echo], log, redact: { values: ["opensesame"] } }).start();
  expect(looks).toEqual(["1.0.0", "say [redacted]", true, false, false]);
  expect(entries).toEqual([{ level: "notice", message: "opened" }]);
});
