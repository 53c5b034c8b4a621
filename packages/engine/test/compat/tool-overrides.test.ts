import { Content, createServer, ToolError, tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { handshakeWith } from "./conversation.js";

const readFile = tool({
  name: "read_file",
  title: "Read a file",
  description: "Reads a text file, in pages.",
  aliases: ["cat"],
  toolset: "files",
  input: {
    type: "object",
    properties: { path: { type: "string" }, limit: { type: "integer", default: 20 } },
    required: ["path"],
  },
  output: {
    type: "object",
    properties: { text: { type: "string" }, limit: { type: "integer" }, hash: { type: "string" } },
    required: ["text", "limit", "hash"],
  },
  annotations: { readOnlyHint: true },
  run({ path, limit }) {
    if (path === "missing.txt")
      throw new ToolError("no such file", { code: "NOT_FOUND", hint: { action: "list the files", tool: "list" } });
    return { text: `the text of ${path}`, limit, hash: "abc" };
  },
  formatValidationError: (_input, schema) =>
    `Supported: ${Object.keys((schema["properties"] ?? {}) as object).join(", ")}`,
});

const SCHEMA = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const CLOSED = { ...SCHEMA, additionalProperties: false };
const OVERRIDE = { name: "filesystem/read", description: "Read contents of a file", input: SCHEMA };
const base = { name: "files", version: "1.0.0", tools: [readFile] };

describe("an override", () => {
  test("is none for a tool whose name every object has", async () => {
    const named = tool({ name: "constructor", description: "Builds.", run: () => "built" });
    const server = createServer({ name: "a", version: "1.0.0", tools: [named], dynamic: true });
    const [listed] = await handshakeWith(server, [{ id: 2, method: "tools/list" }]);
    expect(listed?.["result"]).toMatchObject({ tools: [{ name: "constructor", description: "Builds." }] });
    server.removeTool("constructor");
    const [empty] = await handshakeWith(server, [{ id: 2, method: "tools/list" }]);
    expect(empty?.["result"]).toEqual({ tools: [] });
  });

  test("replaces the name, the description and the schema that are listed", async () => {
    const server = createServer({
      ...base,
      toolOptions: { overrides: { read_file: OVERRIDE } },
      compat: { toolLists: "plain" },
    });
    const [listed] = await handshakeWith(server, [{ id: 2, method: "tools/list" }]);
    expect(listed).toEqual({
      jsonrpc: "2.0",
      id: 2,
      result: { tools: [{ name: "filesystem/read", description: "Read contents of a file", inputSchema: SCHEMA }] },
    });
  });

  test.each([
    ["its new name", "filesystem/read"],
    ["its own name", "read_file"],
    ["its alias", "cat"],
  ])("is called by %s, with the defaults of the tool", async (_which, name) => {
    const server = createServer({ ...base, toolOptions: { overrides: { read_file: OVERRIDE } } });
    const [called] = await handshakeWith(server, [
      { id: 2, method: "tools/call", params: { name, arguments: { path: "a.txt" } } },
    ]);
    expect(called?.["result"]).toMatchObject({
      structuredContent: { text: "the text of a.txt", limit: 20, hash: "abc" },
      isError: false,
    });
  });

  test("rejects arguments that only the tool knows, and formats the error for its own schema", async () => {
    const server = createServer({ ...base, toolOptions: { overrides: { read_file: { ...OVERRIDE, input: CLOSED } } } });
    const [called] = await handshakeWith(server, [
      { id: 2, method: "tools/call", params: { name: "filesystem/read", arguments: { path: "a.txt", limit: 1 } } },
    ]);
    expect(called?.["result"]).toMatchObject({ content: [{ type: "text", text: "Supported: path" }], isError: true });
  });

  test("with a wider schema is still validated by the tool", async () => {
    const input = { type: "object", properties: { path: { type: "string" }, limit: {} }, required: ["path"] };
    const toolOptions = { overrides: { read_file: { input } } };
    const request = {
      id: 2,
      method: "tools/call",
      params: { name: "read_file", arguments: { path: "a.txt", limit: "many" } },
    };
    const [failed] = await handshakeWith(createServer({ ...base, toolOptions }), [request]);
    expect(failed?.["result"]).toMatchObject({ content: [{ text: "Supported: path, limit" }], isError: true });
    const strict = createServer({ ...base, toolOptions, compat: { validationErrors: "protocol" } });
    const [rejected] = await handshakeWith(strict, [request]);
    expect(rejected?.["error"]).toMatchObject({ code: -32602, message: "Supported: path, limit" });
  });

  test.each([
    ["the members that are named, in this order", ["hash", "text"], '{"hash":"abc","text":"the text of a.txt"}'],
    ["the value of one member", "text", "the text of a.txt"],
    ["the value of one member that is no string", "limit", "20"],
    [
      "the whole result if the member does not exist",
      "content",
      '{"text":"the text of a.txt","limit":20,"hash":"abc"}',
    ],
  ])("returns %s", async (_what, result, text) => {
    const server = createServer({ ...base, toolOptions: { overrides: { read_file: { result } } } });
    const [called] = await handshakeWith(server, [
      { id: 2, method: "tools/call", params: { name: "read_file", arguments: { path: "a.txt" } } },
    ]);
    expect(called?.["result"]).toMatchObject({ content: [{ type: "text", text }], isError: false });
  });

  test("leaves the tool in its toolset, under both names", async () => {
    const overrides = { read_file: OVERRIDE };
    for (const filter of [{ toolsets: ["files"] }, { tools: ["read_file"] }, { tools: ["filesystem/read"] }]) {
      const server = createServer({ ...base, toolOptions: { overrides, filter } });
      const [listed] = await handshakeWith(server, [{ id: 2, method: "tools/list" }]);
      expect(listed?.["result"]).toMatchObject({ tools: [{ name: "filesystem/read" }] });
    }
  });

  test("keeps the tool removable by its own name", async () => {
    const server = createServer({ ...base, dynamic: true, toolOptions: { overrides: { read_file: OVERRIDE } } });
    server.removeTool("read_file");
    const [listed] = await handshakeWith(server, [{ id: 2, method: "tools/list" }]);
    expect(listed?.["result"]).toEqual({ tools: [] });
  });

  test.each([
    [{ read_file: { name: "read file" } }, "toolOptions.overrides.read_file.name must have 1 to 128 characters"],
    [{ read_file: { schema: {} } }, "unknown option toolOptions.overrides.read_file.schema"],
    [{ read_file: { input: "path" } }, "toolOptions.overrides.read_file.input must be a JSON Schema"],
    [{ read_file: { result: [1] } }, "toolOptions.overrides.read_file.result must be the name of a member"],
  ])("%j is rejected", (overrides, message) => {
    const create = (): unknown => createServer({ ...base, toolOptions: { overrides: overrides as never } });
    expect(create).toThrow(message);
  });

  test("with an invalid schema fails the start", () => {
    const overrides = { read_file: { input: { type: "objekt" } } };
    expect(() => createServer({ ...base, toolOptions: { overrides } })).toThrow('Cannot register tool "read_file"');
  });
});

describe("tool results", () => {
  const call = { id: 2, method: "tools/call", params: { name: "read_file", arguments: { path: "a.txt" } } };
  const missing = { id: 2, method: "tools/call", params: { name: "read_file", arguments: { path: "missing.txt" } } };

  test("that are plain have only content and isError", async () => {
    const [called] = await handshakeWith(createServer({ ...base, compat: { toolResults: "plain" } }), [call]);
    const text = '{"text":"the text of a.txt","limit":20,"hash":"abc"}';
    expect(called?.["result"]).toEqual({ content: [{ type: "text", text }], isError: false });
  });

  test("that are strings have no content blocks", async () => {
    const toolOptions = { overrides: { read_file: { result: "text" } } };
    const server = createServer({ ...base, toolOptions, compat: { toolResults: "string" } });
    const [called, failed] = await handshakeWith(server, [call, { ...missing, id: 3 }]);
    expect(called?.["result"]).toEqual({ content: "the text of a.txt" });
    expect(failed?.["result"]).toEqual({ content: "no such file. To list the files, call list.", isError: true });
  });

  test("of failed calls have the configured text", async () => {
    const compat = { errors: { TOOL_ERROR: { message: "error: {message}" } }, toolResults: "plain" } as const;
    const [failed] = await handshakeWith(createServer({ ...base, compat }), [missing]);
    expect(failed?.["result"]).toEqual({ content: [{ type: "text", text: "error: no such file" }], isError: true });
  });

  test("of failed calls can have the code and the hint", async () => {
    const compat = { errors: { TOOL_ERROR: { message: "[{code}] {message}; {hint}" } } };
    const [failed] = await handshakeWith(createServer({ ...base, compat }), [missing]);
    const text = "[NOT_FOUND] no such file; To list the files, call list.";
    expect(failed?.["result"]).toMatchObject({ content: [{ type: "text", text }] });
  });
});

test("a selection of members replaces a result in JSON, and leaves a report in words", async () => {
  const reporting = (blocks: string) =>
    tool({
      name: "t",
      description: "Reports.",
      run: () => new Content([{ type: "text", text: blocks }], { total: 1, files: 2 }),
    });
  for (const [written, expected] of [
    ["Total: 1", "Total: 1"],
    ['{"total":1,"files":2}', '{"total":1}'],
  ] as const) {
    const toolOptions = { overrides: { t: { result: ["total"] } } };
    const server = createServer({ ...base, tools: [reporting(written)], toolOptions });
    const [called] = await handshakeWith(server, [{ id: 2, method: "tools/call", params: { name: "t" } }]);
    expect(called?.["result"]).toMatchObject({
      content: [{ type: "text", text: expected }],
      structuredContent: { total: 1 },
    });
  }
});
