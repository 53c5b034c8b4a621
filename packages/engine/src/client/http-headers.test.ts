import { describe, expect, test } from "vitest";
import { mirror, mirrorArguments, mirroredArguments } from "./http-headers.js";

describe("mirror", () => {
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
  ])("says what %o is about", (message, headers) => {
    expect(mirror(message)).toEqual(headers);
  });

  test.each([
    ["grün", "=?base64?Z3LDvG4=?="],
    [" a", "=?base64?IGE=?="],
    ["a\nb", "=?base64?YQpi?="],
    ["=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="],
    ["=?base64?", "=?base64?"],
    ["", ""],
  ])("writes the name %j so that a header can carry it", (name, header) => {
    expect(mirror({ method: "tools/call", params: { name } })["mcp-name"]).toBe(header);
  });
});

describe("mirrorArguments", () => {
  const schema = {
    type: "object",
    properties: {
      a: { type: "string", "x-mcp-header": "A" },
      deep: { type: "object", properties: { b: { type: "integer", "x-mcp-header": "Bee" } } },
      c: { type: "boolean", "x-mcp-header": "C" },
    },
  };
  const headersOf = (given: Parameters<typeof mirrorArguments>[1]) =>
    mirrorArguments(mirroredArguments(schema) ?? [], given);

  test("repeats what is given, however deep, and leaves out what is not", () => {
    expect(headersOf({ a: "x", deep: { b: 7 }, c: false })).toEqual({
      "mcp-param-a": "x",
      "mcp-param-bee": "7",
      "mcp-param-c": "false",
    });
    expect(headersOf({ a: null, deep: "no object" })).toEqual({});
  });

  test("does not do for a schema whose annotations cannot stand", () => {
    expect(
      mirroredArguments({ type: "object", properties: { a: { type: "number", "x-mcp-header": "A" } } }),
    ).toBeUndefined();
    expect(
      mirroredArguments({ type: "object", properties: { a: { type: "string", "x-mcp-header": "" } } }),
    ).toBeUndefined();
    expect(mirroredArguments({ type: "object" })).toEqual([]);
    expect(mirroredArguments(undefined)).toEqual([]);
  });
});
