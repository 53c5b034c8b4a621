import { expect, test } from "vitest";
import type { JsonObject } from "../../jsonrpc/json.js";
import { fitSchema } from "./fit-schema.js";
import type { Vendor } from "./rules.js";

const EVERYONE: readonly Vendor[] = ["Anthropic", "OpenAI", "Google", "VS Code", "Cursor"];

test.each(EVERYONE)("a schema that %s takes stays the same object", (vendor) => {
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
  expect(fitSchema(schema, vendor).schema).toBe(schema);
});

test("Google is told in plain words", () => {
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
  expect(fitSchema(schema, "Google").schema).toEqual({
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
  expect(fitSchema(schema, "Anthropic").schema).toBe(schema);
});

test("arrays say what they hold, wherever they are, where that is demanded", () => {
  const schema = {
    type: "object",
    properties: { a: { type: ["array", "null"] }, b: { anyOf: [{ type: "array" }, { type: "string" }] } },
  };
  expect(fitSchema(schema, "OpenAI").schema).toEqual({
    type: "object",
    properties: {
      a: { type: ["array", "null"], items: {} },
      b: { anyOf: [{ type: "array", items: {} }, { type: "string" }] },
    },
  });
  expect(fitSchema(schema, "Anthropic").schema).toBe(schema);
});

test("an object without properties has none for OpenAI", () => {
  expect(fitSchema({ type: "object" }, "OpenAI").schema).toEqual({ type: "object", properties: {} });
});

test("what cannot be mended is said", () => {
  const odd: JsonObject = { type: "object", properties: { päd: { type: "string" } } };
  expect(fitSchema(odd, "Anthropic")).toEqual({
    fault: 'has the property "päd"',
    advice: "Name properties with 1 to 64 characters of A-Z a-z 0-9 _ . -",
  });
  expect(fitSchema(odd, "OpenAI").schema).toBe(odd);
});

test("own keywords of authors are kept", () => {
  const schema = { type: "object", properties: { a: { type: "array", "x-mcp-header": "A" } } };
  expect(fitSchema(schema, "Cursor").schema).toEqual({
    type: "object",
    properties: { a: { type: "array", "x-mcp-header": "A", items: {} } },
  });
});
