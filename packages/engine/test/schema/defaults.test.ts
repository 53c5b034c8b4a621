import { expect, it } from "vitest";
import { createSchema } from "../../src/schema/schema.js";

async function validate(source: Record<string, unknown>, value: unknown): Promise<unknown> {
  const result = await createSchema(source, { correct: false, unknownProperties: "reject", root: "any" }).validate(
    value,
  );
  return result.ok ? result.value : result.issues;
}

const limit = { properties: { limit: { type: "integer", default: 10 } } };

const chain = { properties: { next: { $ref: "#", default: {} }, n: { default: 0 } } };

it.each<[string, Record<string, unknown>, unknown, unknown]>([
  ["at the root", limit, {}, { limit: 10 }],
  ["only where it is absent", limit, { limit: 5 }, { limit: 5 }],
  ["in a property", { properties: { x: limit } }, { x: {} }, { x: { limit: 10 } }],
  ["in a default", { properties: { x: { ...limit, default: {} } } }, {}, { x: { limit: 10 } }],
  ["but not in a default of a recursive schema", chain, {}, { n: 0, next: {} }],
  [
    "beside a reference",
    { properties: { mode: { $ref: "#/$defs/mode", default: "fast" } }, $defs: { mode: { enum: ["fast", "slow"] } } },
    {},
    { mode: "fast" },
  ],
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
  [
    "in a tree",
    { properties: { n: { default: 0 }, child: { $ref: "#" } } },
    { child: { child: {} } },
    { n: 0, child: { n: 0, child: { n: 0 } } },
  ],
])("a default is applied %s", async (_, source, value, expected) => {
  expect(await validate(source, value)).toEqual(expected);
});

it.each<[string, Record<string, unknown>, unknown]>([
  ["that breaks its own schema", { properties: { limit: { type: "integer", default: "ten" } } }, {}],
  ["that would make the value invalid", { ...limit, maxProperties: 0 }, {}],
])("a default %s is not applied", async (_, source, value) => {
  expect(await validate(source, value)).toBe(value);
});

it("applying defaults copies the value and the default", () => {
  const source = { properties: { tags: { type: "array", default: ["a"] } } };
  const schema = createSchema(source, { correct: false, unknownProperties: "reject", root: "any" });
  const value = {};
  const first = schema.validate(value) as { value: { tags: string[] } };
  first.value.tags.push("b");
  expect(value).toEqual({});
  expect(schema.validate(value)).toMatchObject({ value: { tags: ["a"] } });
});

it("a default named __proto__ is an ordinary property", async () => {
  const source = JSON.parse('{"properties":{"__proto__":{"default":{"polluted":true}}}}');
  const filled = (await validate(source, {})) as object;
  expect(Object.keys(filled)).toEqual(["__proto__"]);
  expect((filled as Record<string, unknown>)["polluted"]).toBeUndefined();
});
