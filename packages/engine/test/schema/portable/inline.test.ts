import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/jsonrpc/messages.js";
import { hasReferences, inlineReferences } from "../../../src/schema/portable/rewrite.js";

const at = (reference: string, beside: JsonObject = {}): JsonObject => ({
  type: "object",
  properties: { one: { $ref: reference, ...beside }, "a/b": { type: "string" } },
  $defs: { two: { $anchor: "there", type: "integer", description: "Two" }, list: { items: { $ref: "#/$defs/two" } } },
});

const one = (schema: JsonObject | undefined): unknown =>
  (schema as { properties: JsonObject } | undefined)?.properties["one"];

test("a reference is replaced with its target, and its siblings take precedence", () => {
  expect(inlineReferences(at("#/$defs/two", { description: "One" }))).toEqual({
    type: "object",
    properties: { one: { $anchor: "there", type: "integer", description: "One" }, "a/b": { type: "string" } },
  });
  expect(one(inlineReferences(at("#/$defs/list")))).toEqual({
    items: { $anchor: "there", type: "integer", description: "Two" },
  });
});

test("references are JSON pointers, escaped or not, or anchors", () => {
  expect(one(inlineReferences(at("#/properties/a~1b")))).toEqual({ type: "string" });
  expect(one(inlineReferences(at("#/properties/a%7E1b")))).toEqual({ type: "string" });
  expect(one(inlineReferences(at("#there")))).toMatchObject({ type: "integer" });
});

test("an unresolvable reference leaves only its siblings", () => {
  expect(one(inlineReferences(at("#/$defs/none", { description: "?" })))).toEqual({ description: "?" });
  expect(one(inlineReferences(at("https://example.com/schema")))).toEqual({});
  expect(one(inlineReferences(at("#/%E0%A4%A")))).toEqual({});
});

test("a recursive schema becomes a plain object with its title", () => {
  const tree = { type: "object", title: "Tree", properties: { below: { $ref: "#/$defs/tree" } } };
  expect(inlineReferences({ type: "object", properties: { tree: { $ref: "#/$defs/tree" } }, $defs: { tree } })).toEqual(
    {
      type: "object",
      properties: {
        tree: { type: "object", title: "Tree", properties: { below: { type: "object", title: "Tree" } } },
      },
    },
  );
  expect(inlineReferences({ type: "object", properties: { self: { $ref: "#" } } })).toEqual({
    type: "object",
    properties: { self: { type: "object" } },
  });
});

test("references that expand to too many schemas are not inlined", () => {
  const doubled = Array.from({ length: 20 }, (_, level): [string, JsonObject] => [
    `d${level}`,
    { properties: { left: { $ref: `#/$defs/d${level + 1}` }, right: { $ref: `#/$defs/d${level + 1}` } } },
  ]);
  const $defs = Object.fromEntries([...doubled, ["d20", { type: "string" }]]);
  expect(inlineReferences({ type: "object", $ref: "#/$defs/d0", $defs })).toBeUndefined();
});

test("a property named $ref is not a reference", () => {
  expect(hasReferences({ type: "object", properties: { $ref: { type: "string" } } })).toBe(false);
  expect(hasReferences({ type: "object", properties: { a: { items: { $ref: "#" } } } })).toBe(true);
});
