import { expect, it } from "vitest";
import { createSchema, type ValidationResult } from "../../src/schema/schema.js";

async function validate(
  properties: Record<string, unknown>,
  value: unknown,
  more: Record<string, unknown> = {},
): Promise<ValidationResult> {
  const source = { type: "object", properties, ...more };
  return createSchema(source, { correct: true, unknownProperties: "reject", root: "object" }).validate(value);
}

const nullable = (schema: object) => ({ anyOf: [schema, { type: "null" }] });

it.each<[Record<string, unknown>, unknown, unknown, string[]]>([
  [{ limit: { type: "integer" } }, { limit: "5" }, { limit: 5 }, ['limit: read "5" as the number 5']],
  [{ x: { type: "number" } }, { x: "-1.5" }, { x: -1.5 }, ['x: read "-1.5" as the number -1.5']],
  [{ dry: { type: "boolean" } }, { dry: "true" }, { dry: true }, ['dry: read "true" as true']],
  [{ tags: { type: "array" } }, { tags: '["a"]' }, { tags: ["a"] }, ["tags: read the text as JSON"]],
  [{ userName: {} }, { user_name: "x" }, { userName: "x" }, ["user_name: read as userName"]],
  [{ mode: { enum: ["fast", "slow"] } }, { mode: "Fast" }, { mode: "fast" }, ['mode: read "Fast" as "fast"']],
  [
    { kind: { const: "pull-request" } },
    { kind: "pullRequest" },
    { kind: "pull-request" },
    ['kind: read "pullRequest" as "pull-request"'],
  ],
  [{ level: { enum: [1, 2] } }, { level: "2" }, { level: 2 }, ['level: read "2" as the number 2']],
  [{ x: nullable({ type: "integer" }) }, { x: "7" }, { x: 7 }, ['x: read "7" as the number 7']],
  [
    { x: nullable({ type: "object", properties: { maxAge: { type: "number" } } }) },
    { x: '{"max_age":"5"}' },
    { x: { maxAge: 5 } },
    ["x: read the text as JSON", "x.max_age: read as maxAge", 'x.maxAge: read "5" as the number 5'],
  ],
  [
    { x: { type: "array", items: { $ref: "#/$defs/n" } } },
    { x: [1, "2"] },
    { x: [1, 2] },
    ['x[1]: read "2" as the number 2'],
  ],
  [
    { m: { type: "object", additionalProperties: { type: "number" } } },
    { m: { a: "5", b: 6 } },
    { m: { a: 5, b: 6 } },
    ['m.a: read "5" as the number 5'],
  ],
  [
    { m: { type: "object", properties: { a: {} }, patternProperties: { "^x": { type: "boolean" } } } },
    { m: { a: "true", x1: "true", y: "true" } },
    { m: { a: "true", x1: true, y: "true" } },
    ['m.x1: read "true" as true'],
  ],
  [
    { m: { type: "object", properties: { a: { type: "string" } }, additionalProperties: { $ref: "#/$defs/n" } } },
    { m: { b: "2", a: "1" } },
    { m: { b: 2, a: "1" } },
    ['m.b: read "2" as the number 2'],
  ],
])("with %j, %j is read as %j", async (properties, value, expected, corrections) => {
  expect(await validate(properties, value, { $defs: { n: { type: "integer" } } })).toEqual({
    ok: true,
    value: expected,
    corrections,
  });
});

it("arguments given as text are read as JSON", async () => {
  const result = await validate({ limit: { type: "integer" } }, '{"limit":"5"}');
  expect(result).toEqual({
    ok: true,
    value: { limit: 5 },
    corrections: ["read the text as JSON", 'limit: read "5" as the number 5'],
  });
});

it.each<[string, Record<string, unknown>, unknown]>([
  ["a word for a number", { x: { type: "number" } }, { x: "five" }],
  ["a padded number", { x: { type: "number" } }, { x: " 5 " }],
  ["a hexadecimal number", { x: { type: "number" } }, { x: "0x10" }],
  ["a number with too many digits", { x: { type: "integer" } }, { x: "12345678901234567890" }],
  ["a fraction for an integer", { x: { type: "integer" } }, { x: "1.5" }],
  ["yes for true", { x: { type: "boolean" } }, { x: "yes" }],
  [
    "a number where a string is allowed too",
    { x: { anyOf: [{ type: "number" }, { type: "string", maxLength: 0 }] } },
    { x: "5" },
  ],
  ["broken JSON", { x: { type: "array" } }, { x: '["a"' }],
  ["an object where an array is due", { x: { type: "array" } }, { x: "{}" }],
  ["JSON that is nested too deep", { x: { type: "array" } }, { x: "[".repeat(500) + "]".repeat(500) }],
  ["a key with two meanings", { userName: {}, user_name: {} }, { "user-name": 1 }],
  ["two keys with one meaning", { userName: {} }, { "user-name": 1, user_name: 2 }],
  ["a key whose property is there already", { userName: {} }, { userName: 1, user_name: 2 }],
  ["a value with two meanings", { x: { enum: ["AB", "ab"] } }, { x: "Ab" }],
  [
    "a choice with two outcomes",
    {
      x: {
        anyOf: [
          { type: "object", required: ["aB"], properties: { aB: {} } },
          { type: "object", required: ["a_b"], properties: { a_b: {} } },
        ],
      },
    },
    { x: { AB: 1 } },
  ],
])("%s is not corrected", async (_, properties, value) => {
  expect((await validate(properties, value)).ok).toBe(false);
});

it("a key of an open object keeps its name unless the property is required", async () => {
  const properties = { userName: {}, limit: { type: "integer" } };
  const value = { user_name: "x", limit: "5" };
  const open = { additionalProperties: true };
  expect(await validate(properties, value, open)).toMatchObject({ ok: true, value: { user_name: "x", limit: 5 } });
  expect(await validate(properties, value, { ...open, required: ["userName"] })).toMatchObject({
    value: { userName: "x", limit: 5 },
  });
});

it("issues that remain after correction are reported", async () => {
  const result = await validate(
    { limit: { type: "integer", maximum: 3 }, dry: { type: "boolean" } },
    { limit: "5", dry: "true" },
  );
  expect(result).toMatchObject({ ok: false, issues: ["limit: expected an integer of at most 3, got 5"] });
});

it("correction does not modify the given value", async () => {
  const value = { user_name: "x", tags: ["1"] };
  const properties = { userName: { type: "string" }, tags: { type: "array", items: { type: "integer" } } };
  expect(await validate(properties, value)).toMatchObject({ ok: true, value: { userName: "x", tags: [1] } });
  expect(value).toEqual({ user_name: "x", tags: ["1"] });
});

it("correction does not pollute prototypes", async () => {
  const polluting = JSON.parse('{"__proto__":{"polluted":true}}');
  const map = { additionalProperties: { type: "object", properties: { polluted: { type: "string" } } } };
  expect((await validate({}, JSON.parse('{"__proto__":"{\\"polluted\\":\\"yes\\"}"}'), map)).ok).toBe(true);
  const result = await validate({ proto: {} }, polluting);
  expect(result).toMatchObject({ ok: true, corrections: ["__proto__: read as proto"] });
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

it("a valid value is never corrected", async () => {
  const value = { a: "5", B: "true" };
  expect(await validate({ a: { type: "string" }, B: {}, b: {} }, value)).toEqual({ ok: true, value, corrections: [] });
});
