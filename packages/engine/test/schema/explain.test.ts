import { expect, it } from "vitest";
import { createSchema } from "../../src/schema/schema.js";

async function issuesOf(
  properties: Record<string, unknown>,
  value: unknown,
  more: Record<string, unknown> = {},
): Promise<readonly string[]> {
  const source = { type: "object", properties, ...more };
  const result = await createSchema(source, { correct: false, unknownProperties: "reject", root: "object" }).validate(
    value,
  );
  return result.ok ? [] : result.issues;
}

const circle = {
  type: "object",
  required: ["kind", "r"],
  properties: { kind: { const: "circle" }, r: { type: "number" } },
};
const square = {
  type: "object",
  required: ["kind", "w"],
  properties: { kind: { const: "square" }, w: { type: "number" } },
};

const listA = { type: "object", required: ["a"], properties: { a: { type: "array", items: { type: "string" } } } };
const numberB = { type: "object", required: ["b"], properties: { b: { type: "number" } } };
const modeN = {
  type: "object",
  required: ["mode", "n"],
  properties: { mode: { enum: ["fast", "slow"] }, n: { type: "number" } },
};

it.each<[unknown, Record<string, unknown>, string]>([
  [
    { limit: "many" },
    { limit: { type: "integer", minimum: 1, maximum: 100 } },
    'limit: expected an integer from 1 to 100, got "many"',
  ],
  [{ limit: 0 }, { limit: { type: "number", exclusiveMinimum: 0 } }, "limit: expected a number above 0, got 0"],
  [
    { limit: 7 },
    { limit: { type: "integer", minimum: 0, multipleOf: 5 } },
    "limit: expected an integer of at least 0 and that is a multiple of 5, got 7",
  ],
  [{ color: 1 }, { colour: {} }, 'color: unknown argument; did you mean "colour"?'],
  [{ zzz: 1 }, { colour: {}, size: {} }, 'zzz: unknown argument; known: "colour", "size"'],
  [{ zzz: 1 }, {}, "zzz: unknown argument; none is expected"],
  [
    { mode: "fats" },
    { mode: { enum: ["fast", "slow"] } },
    'mode: expected one of "fast", "slow", got "fats"; did you mean "fast"?',
  ],
  [{ mode: 1 }, { mode: { const: "fast" } }, 'mode: expected "fast", got 1'],
  [
    { id: "" },
    { id: { type: "string", minLength: 1, maxLength: 8 } },
    'id: expected a string of 1 to 8 characters, got ""',
  ],
  [{ id: "x" }, { id: { type: "string", pattern: "^a" } }, 'id: expected a string that matches ^a, got "x"'],
  [
    { items: [{ name: 5 }] },
    { items: { type: "array", items: { properties: { name: { type: "string" } } } } },
    "items[0].name: expected a string, got 5",
  ],
  [
    { items: [1, 1] },
    { items: { type: "array", uniqueItems: true } },
    "items[1]: repeats an earlier item, but all must be different: 1",
  ],
  [{ items: [] }, { items: { type: "array", minItems: 1 } }, "items: expected at least 1 item, got 0"],
  [{ items: 5 }, { items: { type: "array", items: { type: "string" } } }, "items: expected an array of strings, got 5"],
  [{ x: true }, { x: { type: ["string", "null"] } }, "x: expected a string or null, got true"],
  [
    { x: true },
    { x: { anyOf: [{ type: "string" }, { type: "number" }] } },
    "x: expected a string or a number, got true",
  ],
  [{ x: { kind: "circle", r: "1" } }, { x: { oneOf: [square, circle] } }, 'x.r: expected a number, got "1"'],
  [
    { x: { kind: "squar" } },
    { x: { oneOf: [circle, square] } },
    'x.kind: expected one of "circle", "square", got "squar"; did you mean "square"?',
  ],
  [{ x: {} }, { x: { anyOf: [circle, square] } }, 'x.kind: required, but missing (one of "circle", "square")'],
  [
    { x: 5 },
    { x: { oneOf: [{ type: "number" }, { type: "integer" }] } },
    "x: must match exactly one of 2 schemas, but matches 2: 5",
  ],
  [{ x: 5 }, { x: { not: { type: "number" } } }, "x: must not be a number, got 5"],
  [{ x: 5 }, { x: false }, "x: not allowed"],
  [{ x: 5 }, { x: { enum: [] } }, "x: not allowed"],
  [
    { x: ["a"] },
    { x: { contains: { type: "string" }, minContains: 2 } },
    "x: expected at least 2 items of the form: a string; got 1",
  ],
  [{ x: ["a"] }, { x: { contains: { type: "number" } } }, "x: expected at least 1 item of the form: a number; got 0"],
  [{ x: {} }, { x: { type: "object", minProperties: 2 } }, "x: expected at least 2 keys, got 0"],
  [{ x: { b: true } }, { x: { anyOf: [listA, numberB] } }, "x.b: expected a number, got true"],
  [
    { x: { b: true } },
    { x: { anyOf: [{ ...listA, additionalProperties: {} }, numberB] } },
    "x.b: expected a number, got true",
  ],
  [
    { x: { mode: "fats", n: 1 } },
    { x: { anyOf: [numberB, modeN] } },
    'x.mode: expected one of "fast", "slow", got "fats"; did you mean "fast"?',
  ],
  [{ "a b": 5 }, { "a b": { type: "string" } }, '["a b"]: expected a string, got 5'],
  ["text", {}, 'expected an object, got "text"'],
])("the issue of %j is explained", async (value, properties, line) => {
  expect(await issuesOf(properties, value)).toEqual([line]);
});

it("a missing argument is described", async () => {
  const name = { type: "string", description: "the user's name." };
  expect(await issuesOf({ name }, {}, { required: ["name"] })).toEqual([
    "name: required, but missing (string: the user's name)",
  ]);
});

it("an argument that another one requires is reported", async () => {
  const more = { dependentRequired: { user: ["password"] } };
  expect(await issuesOf({ user: {}, password: { type: "string" } }, { user: "x" }, more)).toEqual([
    "password: required, but missing (string)",
  ]);
});

it("an unknown argument is reported that two keywords reject", async () => {
  expect(await issuesOf({ a: {} }, { b: 1 }, { additionalProperties: false, unevaluatedProperties: false })).toEqual([
    'b: unknown argument; known: "a"',
  ]);
});

it("the first twenty issues are reported at once", async () => {
  const value = { items: Array.from({ length: 50 }, () => "x") };
  const lines = await issuesOf({ items: { type: "array", items: { type: "number" } } }, value);
  expect(lines).toHaveLength(21);
  expect(lines[19]).toBe('items[19]: expected a number, got "x"');
  expect(lines[20]).toBe("and more");
});

it("the received value is truncated to sixty characters", async () => {
  const [text = ""] = await issuesOf({ x: { type: "number" } }, { x: "a".repeat(5_000) });
  expect(text).toBe(`x: expected a number, got "${"a".repeat(60)}…"`);
  const [list = ""] = await issuesOf({ x: { type: "number" } }, { x: Array.from({ length: 5_000 }, () => 12_345) });
  expect(list).toBe(`x: expected a number, got [${"12345,".repeat(10).slice(0, 59)}…`);
});
