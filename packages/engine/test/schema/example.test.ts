import { expect, it } from "vitest";
import { createSchema } from "../../src/schema/schema.js";

async function example(source: Record<string, unknown>, value: unknown): Promise<unknown> {
  const result = await createSchema(source, { correct: false, unknownProperties: "reject", root: "any" }).validate(
    value,
  );
  return result.ok ? "valid" : result.example;
}

const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: "object",
  properties,
  required,
});

it.each<[string, Record<string, unknown>, unknown, unknown]>([
  ["keeps what is right", object({ a: {}, b: { type: "number" } }, ["b"]), { a: "x" }, { a: "x", b: 1 }],
  ["renames a mistyped key", object({ colour: {} }), { color: "red" }, { colour: "red" }],
  [
    "contains unambiguous corrections",
    object(
      { id: { type: "integer" }, mode: { enum: ["Fast", "Slow"] }, ids: { type: "array" }, n: { type: "number" } },
      ["n"],
    ),
    { id: "5", mode: "slow", ids: "[7,8]" },
    { id: 5, mode: "Slow", ids: [7, 8], n: 1 },
  ],
  [
    "keeps what is right in a map",
    object({ m: { type: "object", additionalProperties: { type: "number" } } }),
    { m: { a: "x", b: 6 } },
    { m: { a: 1, b: 6 } },
  ],
  [
    "contains what conditions and other properties require",
    {
      ...object({ a: {}, b: { type: "number" } }),
      dependentRequired: { a: ["b"] },
      if: { required: ["d"] },
      else: { required: ["c"] },
      additionalProperties: true,
    },
    { a: "x" },
    { a: "x", b: 1, c: "text" },
  ],
  [
    "keeps what is right beside a default of null",
    object({ a: {}, n: { anyOf: [{ type: "integer" }, { type: "null" }], default: null } }),
    { a: "x", n: [] },
    { a: "x", n: null },
  ],
  ["drops an unknown key", object({ colour: {} }), { zzz: "red" }, {}],
  ["takes the nearest allowed value", object({ m: { enum: ["fast", "slow"] } }), { m: "slwo" }, { m: "slow" }],
  ["takes the nearest number", object({ n: { type: "integer", maximum: 100 } }), { n: 500 }, { n: 100 }],
  ["takes a default", object({ n: { type: "integer", default: 7 } }), { n: "x" }, { n: 7 }],
  ["takes an example", object({ n: { type: "string", examples: ["ada"] } }, ["n"]), {}, { n: "ada" }],
  ["knows formats", object({ n: { type: "string", format: "email" } }, ["n"]), {}, { n: "name@example.com" }],
  [
    "fills arrays up",
    object({ n: { type: "array", items: { type: "string" }, minItems: 2 } }),
    { n: ["a"] },
    { n: ["a", "text"] },
  ],
  [
    "makes nested objects",
    object({ n: object({ id: { type: "integer", minimum: 5 } }, ["id"]) }, ["n"]),
    {},
    { n: { id: 5 } },
  ],
  ["follows references", { ...object({ n: { $ref: "#/$defs/x" } }, ["n"]), $defs: { x: { enum: [3] } } }, {}, { n: 3 }],
  ["is minimal for a huge value", object({ a: {}, b: { type: "number" } }, ["b"]), { a: "x".repeat(10_000) }, { b: 1 }],
  [
    "is left out where none can be made",
    object({ a: { type: "string", pattern: "^[0-9]{9}$" } }, ["a"]),
    {},
    undefined,
  ],
  [
    "stays within the branch that knows the keys",
    object({
      f: {
        anyOf: [object({ a: { type: "array" } }, ["a"]), object({ b: { type: "number" }, c: {} }, ["b"])],
      },
    }),
    { f: { b: true, c: "kept" } },
    { f: { b: 1, c: "kept" } },
  ],
  ["is left out where it would not be an object", { type: "string" }, 5, undefined],
])("the example %s", async (_, source, value, expected) => {
  expect(await example(source, value)).toEqual(expected);
});
