import { createServer, prompt, type ServerOptions, tool } from "@toolwright/engine";
import { expect, test } from "vitest";
import { Wire } from "../features/wire.js";

const search = tool({
  name: "search",
  title: "Search",
  description: "Finds passages.",
  input: { type: "object", properties: { maxHits: { type: "integer" } } },
  output: { type: "object", properties: { pageNumber: { type: "integer" } } },
  run: () => ({ pageNumber: 7 }),
});

async function connect(options: Partial<ServerOptions> = {}): Promise<Wire> {
  const server = createServer({
    name: "rag",
    version: "3.0.0",
    description: "Documents.",
    tools: [search],
    prompts: [prompt({ name: "ask", title: "Ask", description: "Asks.", run: () => "Why?" })],
    resources: [{ uri: "doc://a", name: "a", mimeType: "text/plain", read: () => "text" }],
    log: () => undefined,
    compat: { snakeCaseVersion: "1.0.0" },
    ...options,
  });
  await server.start();
  return new Wire(server, "1.0.0");
}

const client_info = { name: "client", version: "1" };
const initialize = (params?: object) => ({ id: 1, method: "initialize", ...(params && { params: params as never }) });

async function resultOf(wire: Wire, method: string, params: object = {}) {
  wire.send({ id: method, method, params: params as never });
  return (await wire.waitFor({ id: method }))["result"];
}

test("a client that writes initialize in snake_case is served in snake_case", async () => {
  const wire = await connect();
  wire.send(initialize({ protocol_version: "0.9", client_info, capabilities: {} }));
  expect((await wire.waitFor({ id: 1 }))["result"]).toEqual({
    protocol_version: "1.0.0",
    capabilities: { tools: [], resources: [], prompts: [], logging: { level: "info" } },
    server_info: { name: "rag", version: "3.0.0" },
  });
  expect(await resultOf(wire, "tools/list")).toEqual({
    tools: [
      {
        name: "search",
        description: "Finds passages.",
        input_schema: { type: "object", properties: { maxHits: { type: "integer" } }, additionalProperties: false },
      },
    ],
  });
  expect(await resultOf(wire, "tools/call", { name: "search" })).toEqual({
    content: [{ type: "text", text: '{"pageNumber":7}' }],
    is_error: false,
    structured_content: { pageNumber: 7 },
  });
  expect(await resultOf(wire, "resources/list")).toEqual({
    resources: [{ uri: "doc://a", name: "a", description: "", mime_type: "text/plain" }],
  });
  expect(await resultOf(wire, "resources/read", { uri: "doc://a" })).toEqual({
    contents: [{ uri: "doc://a", mime_type: "text/plain", text: "text" }],
  });
  expect(await resultOf(wire, "prompts/list")).toEqual({
    prompts: [{ name: "ask", description: "Asks.", arguments: [] }],
  });
});

test("it may send batches", async () => {
  const wire = await connect();
  wire.send(initialize({ client_info: { ...client_info, capabilities: {} } }));
  wire.sendText('[{"jsonrpc":"2.0","id":5,"method":"ping"},{"jsonrpc":"2.0","id":6,"method":"ping"}]');
  expect(JSON.parse(wire.texts.at(-1) ?? "")).toEqual([
    { jsonrpc: "2.0", id: 5, result: {} },
    { jsonrpc: "2.0", id: 6, result: {} },
  ]);
});

test.each([
  [undefined, "Missing initialization parameters"],
  [{}, "missing field `client_info`"],
  [{ protocol_version: "1.0.0", client_info }, "missing field `capabilities`"],
])("initialize with %j is invalid", async (params, message) => {
  const wire = await connect();
  wire.send(initialize(params));
  expect((await wire.waitFor({ id: 1 }))["error"]).toEqual({ code: -32602, message });
});

test("all other clients are served in their own revision", async () => {
  const wire = await connect();
  wire.send(initialize({ protocolVersion: "2025-06-18", capabilities: {}, clientInfo: client_info }));
  expect((await wire.waitFor({ id: 1 }))["result"]).toMatchObject({
    protocolVersion: "2025-06-18",
    serverInfo: { name: "rag" },
    capabilities: { tools: { listChanged: false } },
  });
});

test("without the option, initialize in snake_case is answered as every other", async () => {
  const wire = await connect({ compat: {} });
  wire.send(initialize({ protocol_version: "2025-06-18", client_info, capabilities: {} }));
  expect((await wire.waitFor({ id: 1 }))["result"]).toMatchObject({ protocolVersion: "2025-06-18" });
});
