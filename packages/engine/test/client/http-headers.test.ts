import { describe, expect, test } from "vitest";
import { argumentHeaders, readMirroredArguments, requestHeaders } from "../../src/client/http-request.js";

describe("requestHeaders", () => {
  test.each([
    [
      { method: "tools/call", params: { name: "echo" } },
      { "mcp-method": "tools/call", "mcp-name": "echo" },
    ],
    [
      { method: "resources/read", params: { uri: "note://a b" } },
      { "mcp-method": "resources/read", "mcp-name": "note://a b" },
    ],
    [
      { method: "tasks/get", params: { taskId: "t-1" } },
      { "mcp-method": "tasks/get", "mcp-name": "t-1" },
    ],
    [{ method: "tools/list", params: { name: "echo" } }, { "mcp-method": "tools/list" }],
    [{ id: 1, result: {} }, {}],
  ])("returns the headers for %o", (message, headers) => {
    expect(requestHeaders(message)).toEqual(headers);
  });

  test.each([
    ["grün", "=?base64?Z3LDvG4=?="],
    [" a", "=?base64?IGE=?="],
    ["a\nb", "=?base64?YQpi?="],
    ["=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="],
    ["=?base64?", "=?base64?"],
    ["", ""],
  ])("encodes the name %j for a header", (name, header) => {
    expect(requestHeaders({ method: "tools/call", params: { name } })["mcp-name"]).toBe(header);
  });
});

describe("argumentHeaders", () => {
  const schema = {
    type: "object",
    properties: {
      a: { type: "string", "x-mcp-header": "A" },
      deep: { type: "object", properties: { b: { type: "integer", "x-mcp-header": "Bee" } } },
      c: { type: "boolean", "x-mcp-header": "C" },
    },
  };
  const headersOf = (args: Parameters<typeof argumentHeaders>[1]) =>
    argumentHeaders(readMirroredArguments(schema) ?? [], args);

  test("mirrors nested arguments, and leaves out missing ones", () => {
    expect(headersOf({ a: "x", deep: { b: 7 }, c: false })).toEqual({
      "mcp-param-a": "x",
      "mcp-param-bee": "7",
      "mcp-param-c": "false",
    });
    expect(headersOf({ a: null, deep: "no object" })).toEqual({});
  });

  test("are not read from a schema with invalid annotations", () => {
    expect(
      readMirroredArguments({ type: "object", properties: { a: { type: "number", "x-mcp-header": "A" } } }),
    ).toBeUndefined();
    expect(
      readMirroredArguments({ type: "object", properties: { a: { type: "string", "x-mcp-header": "" } } }),
    ).toBeUndefined();
    expect(readMirroredArguments({ type: "object" })).toEqual([]);
    expect(readMirroredArguments(undefined)).toEqual([]);
  });
});
