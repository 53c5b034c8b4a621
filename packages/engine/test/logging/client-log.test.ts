import { createServer, type JsonObject, type ServerOptions, ToolError, tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { Wire } from "../features/wire.js";

const read = tool({
  name: "read_file",
  description: "Reads.",
  input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  run: ({ path }) => {
    if (path === "gone") throw new ToolError("There is no such file.", { code: "NOT_FOUND" });
    if (path === "odd") throw new Error("the secret cause");
    return "text";
  },
});

const OPTIONS: ServerOptions = {
  name: "files",
  version: "1.0.0",
  tools: [read],
  log: () => undefined,
  protocol: { clientLog: true },
};

/** The log messages that a client gets for these requests after it has set a level. */
async function logOf(
  level: string | undefined,
  requests: readonly JsonObject[],
  options: Partial<ServerOptions> = {},
  revision = "2025-11-25",
): Promise<JsonObject[]> {
  const server = createServer({ ...OPTIONS, ...options });
  await server.start();
  const wire = new Wire(server, revision);
  wire.initialize();
  if (level !== undefined) wire.send({ id: "level", method: "logging/setLevel", params: { level } });
  for (const request of requests) {
    wire.send(request);
    await wire.waitFor({ id: request["id"] as number });
  }
  await server.close();
  return wire.received
    .filter(({ method }) => method === "notifications/message")
    .map(({ params }) => params as JsonObject);
}

const call = (id: number, name: string, path: string): JsonObject => ({
  id,
  method: "tools/call",
  params: { name, arguments: { path } },
});

const REQUESTS = [
  call(1, "read_file", "a"),
  call(2, "read_file", "gone"),
  call(3, "read_file", "odd"),
  call(4, "no_tool", "a"),
  { id: 5, method: "tools/call", params: { name: "read_file", arguments: {} } },
  { id: 6, method: "no/such" },
];

const durationMs = expect.any(Number) as number;

describe("with protocol.clientLog a client is told", () => {
  test("about its calls, and about what is rejected", async () => {
    expect(await logOf("info", REQUESTS)).toEqual([
      {
        level: "info",
        logger: "files",
        data: { message: "tools/call read_file ok", requestId: 1, tool: "read_file", durationMs },
      },
      {
        level: "error",
        logger: "files",
        data: {
          message: "tools/call read_file failed: There is no such file.",
          requestId: 2,
          tool: "read_file",
          code: "NOT_FOUND",
          durationMs,
        },
      },
      {
        level: "error",
        logger: "files",
        data: { message: "tools/call read_file failed", requestId: 3, tool: "read_file", durationMs },
      },
      {
        level: "warning",
        logger: "files",
        data: { message: "tools/call rejected: Unknown tool: no_tool", requestId: 4 },
      },
      {
        level: "warning",
        logger: "files",
        data: {
          message: "tools/call rejected: invalid arguments: path: required, but missing (string)",
          requestId: 5,
        },
      },
      {
        level: "warning",
        logger: "files",
        data: { message: "no/such rejected: Method not found: no/such", requestId: 6 },
      },
      { level: "info", logger: "files", data: { message: "the session is shutting down" } },
    ]);
  });

  test.each<[string, readonly string[]]>([
    ["notice", ["error", "error", "warning", "warning", "warning"]],
    ["error", ["error", "error"]],
    ["critical", []],
  ])("nothing that is less severe than %s, if that is its level", async (level, levels) => {
    expect((await logOf(level, REQUESTS)).map((entry) => entry["level"])).toEqual(levels);
  });

  test("nothing before it has set a level, and nothing without the option", async () => {
    expect(await logOf(undefined, REQUESTS)).toEqual([]);
    expect(await logOf("debug", REQUESTS, { protocol: {} })).toEqual([]);
    expect(await logOf("debug", REQUESTS, { protocol: { clientLog: true, features: ["tools"] } })).toEqual([]);
  });

  test("about calls that need no session, if the request has a level", async () => {
    const server = createServer(OPTIONS);
    await server.start();
    const wire = new Wire(server, "2026-07-28");
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: "wire", version: "1" },
      "io.modelcontextprotocol/logLevel": "info",
    };
    wire.send({ id: 1, method: "tools/call", params: { name: "read_file", arguments: { path: "a" }, _meta } });
    await wire.waitFor({ id: 1 });
    expect(wire.received).toMatchObject([
      { method: "notifications/message", params: { level: "info", data: { message: "tools/call read_file ok" } } },
      { id: 1 },
    ]);
    await server.close();
  });

  test("about its session, if it sets a level before it is ready", async () => {
    const server = createServer({ ...OPTIONS, compat: { lifecycle: "strict" } });
    await server.start();
    const wire = new Wire(server, "2025-11-25");
    const clientInfo = { name: "wire", version: "1" };
    wire.send({ id: 0, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
    wire.send({ id: 1, method: "tools/list" });
    wire.send({ id: 2, method: "logging/setLevel", params: { level: "info" } });
    wire.send({ method: "notifications/initialized" });
    expect(await wire.waitFor({ id: 1 })).toMatchObject({ error: { code: -32600 } });
    expect(wire.received.at(-1)).toMatchObject({ params: { data: { message: "the session is operating" } } });
    await server.close();
  });
});
