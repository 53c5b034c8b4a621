import { expect, it } from "vitest";
import { createSchema } from "./schema.js";

async function read(source: Record<string, unknown>, value: unknown): Promise<unknown> {
  const reading = await createSchema(source, { repair: false, unknownKeys: "refuse", root: "any" }).read(value);
  return reading.ok ? reading.value : reading.faults;
}

const limit = { properties: { limit: { type: "integer", default: 10 } } };

const chain = { properties: { next: { $ref: "#/$defs/chain", default: {} }, n: { default: 0 } } };
const other = { properties: { b: { default: 2 } } };
// biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema
// oxlint-disable-next-line unicorn/no-thenable -- the word of JSON Schema
const where = (condition: object) => ({ if: condition, then: limit, else: other });
const conditional = where({ required: ["a"] });

it.each<[string, Record<string, unknown>, unknown, unknown]>([
  ["at the root", limit, {}, { limit: 10 }],
  ["only where it is absent", limit, { limit: 5 }, { limit: 5 }],
  ["in a property", { properties: { x: limit } }, { x: {} }, { x: { limit: 10 } }],
  [
    "by the branch that holds with what was filled in",
    { ...where({ properties: { mode: { const: "a" } } }), properties: { mode: { default: "b" } } },
    {},
    { mode: "b", b: 2 },
  ],
  ["in a default", { properties: { x: { ...limit, default: {} } } }, {}, { x: { limit: 10 } }],
  ["beside one that leads back to itself, which is not", { ...chain, $defs: { chain } }, {}, { n: 0 }],
  ["in items", { items: limit }, [{}, { limit: 1 }], [{ limit: 10 }, { limit: 1 }]],
  [
    "behind a reference",
    { properties: { x: { $ref: "#/$defs/l" } }, $defs: { l: limit } },
    { x: {} },
    { x: { limit: 10 } },
  ],
  [
    "beside null",
    { properties: { x: { anyOf: [{ type: "object", ...limit }, { type: "null" }] } } },
    { x: {} },
    { x: { limit: 10 } },
  ],
  ["in a map", { additionalProperties: limit }, { a: {}, b: { limit: 1 } }, { a: { limit: 10 }, b: { limit: 1 } }],
  [
    "in a map beside properties",
    { properties: { a: {} }, additionalProperties: limit },
    { a: {}, b: {} },
    { a: {}, b: { limit: 10 } },
  ],
  ["where a condition holds", conditional, { a: 1 }, { a: 1, limit: 10 }],
  ["where a condition does not hold", conditional, {}, { b: 2 }],
  [
    "in a tree",
    { properties: { n: { default: 0 }, child: { $ref: "#" } } },
    { child: { child: {} } },
    { n: 0, child: { n: 0, child: { n: 0 } } },
  ],
])("a default is filled in %s", async (_, source, value, expected) => {
  expect(await read(source, value)).toEqual(expected);
});

it.each<[string, Record<string, unknown>, unknown]>([
  ["that breaks its own schema", { properties: { limit: { type: "integer", default: "ten" } } }, {}],
  ["that would make the value invalid", { ...limit, maxProperties: 0 }, {}],
])("a default %s is not filled in", async (_, source, value) => {
  expect(await read(source, value)).toBe(value);
});

it("filling in copies: neither the value nor the default can be changed through the result", () => {
  const source = { properties: { tags: { type: "array", default: ["a"] } } };
  const schema = createSchema(source, { repair: false, unknownKeys: "refuse", root: "any" });
  const value = {};
  const first = schema.read(value) as { value: { tags: string[] } };
  first.value.tags.push("b");
  expect(value).toEqual({});
  expect(schema.read(value)).toMatchObject({ value: { tags: ["a"] } });
});

it("a default called __proto__ is an ordinary property", async () => {
  const source = JSON.parse('{"properties":{"__proto__":{"default":{"polluted":true}}}}');
  const filled = (await read(source, {})) as object;
  expect(Object.keys(filled)).toEqual(["__proto__"]);
  expect((filled as Record<string, unknown>)["polluted"]).toBeUndefined();
});
