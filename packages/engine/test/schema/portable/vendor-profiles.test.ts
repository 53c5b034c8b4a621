import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/jsonrpc/messages.js";
import { adaptSchema, type Vendor } from "../../../src/schema/portable/vendor-profiles.js";

const EVERYONE: readonly Vendor[] = ["Anthropic", "OpenAI", "Google", "VS Code", "Cursor"];

test.each(EVERYONE)("a schema that %s accepts stays the same object", (vendor) => {
  const schema = {
    type: "object",
    properties: {
      text: { type: "string", minLength: 1 },
      list: { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } },
      deep: { type: "object", properties: { a: { enum: ["x"] } }, additionalProperties: false },
    },
    required: ["text"],
    additionalProperties: false,
  };
  expect(adaptSchema(schema, vendor).schema).toBe(schema);
});

test("unsupported keywords are replaced for Google", () => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      count: { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 10 },
      share: { type: "number", exclusiveMinimum: 0, multipleOf: 0.5 },
      kind: { const: "x" },
      level: { const: 3, description: "Three" },
      tags: { type: "array", items: { type: "string" }, uniqueItems: true },
      map: { type: "object", patternProperties: { "^a": { type: "string" } } },
    },
  };
  expect(adaptSchema(schema, "Google").schema).toEqual({
    type: "object",
    properties: {
      count: { type: "integer", minimum: 1, maximum: 9 },
      share: { type: "number", minimum: 0 },
      kind: { enum: ["x"] },
      level: { description: "Three" },
      tags: { type: "array", items: { type: "string" } },
      map: { type: "object" },
    },
  });
  expect(adaptSchema(schema, "Anthropic").schema).toBe(schema);
});

test("arrays without items get items for vendors that require them", () => {
  const schema = {
    type: "object",
    properties: { a: { type: ["array", "null"] }, b: { anyOf: [{ type: "array" }, { type: "string" }] } },
  };
  expect(adaptSchema(schema, "OpenAI").schema).toEqual({
    type: "object",
    properties: {
      a: { type: ["array", "null"], items: {} },
      b: { anyOf: [{ type: "array", items: {} }, { type: "string" }] },
    },
  });
  expect(adaptSchema(schema, "Anthropic").schema).toBe(schema);
});

test("an object without properties gets empty properties for OpenAI", () => {
  expect(adaptSchema({ type: "object" }, "OpenAI").schema).toEqual({ type: "object", properties: {} });
});

test("a problem that cannot be fixed is reported", () => {
  const odd: JsonObject = { type: "object", properties: { päd: { type: "string" } } };
  expect(adaptSchema(odd, "Anthropic")).toEqual({
    problem: 'has the property "päd"',
    advice: "Name properties with 1 to 64 characters of A-Z a-z 0-9 _ . -",
  });
  expect(adaptSchema(odd, "OpenAI").schema).toBe(odd);
});

test("custom keywords are kept", () => {
  const schema = { type: "object", properties: { a: { type: "array", "x-mcp-header": "A" } } };
  expect(adaptSchema(schema, "Cursor").schema).toEqual({
    type: "object",
    properties: { a: { type: "array", "x-mcp-header": "A", items: {} } },
  });
});
