import { expect, it } from "vitest";
import { createSchema } from "../../src/schema/schema.js";

async function accepts(source: Record<string, unknown>, value: unknown): Promise<boolean> {
  const schema = createSchema(source, { correct: false, unknownProperties: "reject", root: "any" });
  return (await schema.validate(value)).ok;
}

const name = { properties: { a: { type: "number" } } };
const circle = { type: "object", required: ["kind"], properties: { kind: { const: "circle" }, r: {} } };
const square = { type: "object", required: ["kind"], properties: { kind: { const: "square" }, w: {} } };

it.each<[string, Record<string, unknown>, unknown]>([
  ["at the root", name, { b: 1 }],
  ["in a property", { properties: { x: name } }, { x: { b: 1 } }],
  ["in an item", { items: name }, [{ a: 1 }, { b: 1 }]],
  ["behind a reference", { properties: { x: { $ref: "#/$defs/n" } }, $defs: { n: name } }, { x: { b: 1 } }],
  ["beside null", { properties: { x: { anyOf: [{ type: "object", ...name }, { type: "null" }] } } }, { x: { b: 1 } }],
  ["in a choice with marks", { oneOf: [circle, square] }, { kind: "circle", w: 1 }],
  ["where there are no properties at all", { type: "object" }, { b: 1 }],
  ["named like something inherited", name, { toString: 1 }],
  ["named __proto__", name, JSON.parse('{"__proto__":1}')],
])("an unknown property is rejected %s", async (_, source, value) => {
  expect(await accepts(source, value)).toBe(false);
});

it.each<[string, Record<string, unknown>, unknown]>([
  ["additionalProperties says so", { ...name, additionalProperties: true }, { b: 1 }],
  ["patternProperties may know it", { ...name, patternProperties: { "^b": {} } }, { b: 1, c: 1 }],
  ["another schema may know it", { allOf: [name, { properties: { b: {} } }] }, { b: 1 }],
  ["branches are ambiguous", { anyOf: [name, { properties: { b: {} } }] }, { a: 1, b: 1 }],
  [
    "a shared definition is joined elsewhere",
    { properties: { x: { $ref: "#/$defs/n" }, y: { allOf: [{ $ref: "#/$defs/n" }, {}] } }, $defs: { n: name } },
    { x: { b: 1 } },
  ],
  ["unevaluatedProperties speaks of it", { ...name, unevaluatedProperties: true }, { b: 1 }],
  ["the object is described by its names alone", { type: "object", propertyNames: { maxLength: 3 } }, { b: 1 }],
])("an unknown property is accepted where %s", async (_, source, value) => {
  expect(await accepts(source, value)).toBe(true);
});
