import { expect, test } from "vitest";
import type { JsonObject } from "../../jsonrpc/json.js";
import { hasReferences, inlineReferences } from "./inline.js";

const at = (reference: string, beside: JsonObject = {}): JsonObject => ({
  type: "object",
  properties: { one: { $ref: reference, ...beside }, "a/b": { type: "string" } },
  $defs: { two: { $anchor: "there", type: "integer", description: "Two" }, list: { items: { $ref: "#/$defs/two" } } },
});

const one = (schema: JsonObject | undefined): unknown =>
  (schema as { properties: JsonObject } | undefined)?.properties["one"];

test("what is referred to stands in the place of the reference, and what stood beside it counts more", () => {
  expect(inlineReferences(at("#/$defs/two", { description: "One" }))).toEqual({
    type: "object",
    properties: { one: { $anchor: "there", type: "integer", description: "One" }, "a/b": { type: "string" } },
  });
  expect(one(inlineReferences(at("#/$defs/list")))).toEqual({
    items: { $anchor: "there", type: "integer", description: "Two" },
  });
});

test("references lead by pointers, escaped or not, and by anchors", () => {
  expect(one(inlineReferences(at("#/properties/a~1b")))).toEqual({ type: "string" });
  expect(one(inlineReferences(at("#/properties/a%7E1b")))).toEqual({ type: "string" });
  expect(one(inlineReferences(at("#there")))).toMatchObject({ type: "integer" });
});

test("a reference that leads nowhere leaves only what stood beside it", () => {
  expect(one(inlineReferences(at("#/$defs/none", { description: "?" })))).toEqual({ description: "?" });
  expect(one(inlineReferences(at("https://example.com/schema")))).toEqual({});
  expect(one(inlineReferences(at("#/%E0%A4%A")))).toEqual({});
});

test("a schema in circles is cut to a plain object with its name", () => {
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

test("references that stand for very many schemas are given up", () => {
  const doubled = Array.from({ length: 20 }, (_, level): [string, JsonObject] => [
    `d${level}`,
    { properties: { left: { $ref: `#/$defs/d${level + 1}` }, right: { $ref: `#/$defs/d${level + 1}` } } },
  ]);
  const $defs = Object.fromEntries([...doubled, ["d20", { type: "string" }]]);
  expect(inlineReferences({ type: "object", $ref: "#/$defs/d0", $defs })).toBeUndefined();
});

test("a property that is called $ref is no reference", () => {
  expect(hasReferences({ type: "object", properties: { $ref: { type: "string" } } })).toBe(false);
  expect(hasReferences({ type: "object", properties: { a: { items: { $ref: "#" } } } })).toBe(true);
});
