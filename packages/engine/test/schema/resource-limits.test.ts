import { expect, it } from "vitest";
import { createSchema, type ValidationResult } from "../../src/schema/schema.js";

/** So many that looking up the closest name for every wrong one would time out. */
const NAMES = Array.from({ length: 300 }, (_, index) => `property_name_${index}`);

async function validate(
  properties: Record<string, unknown>,
  value: unknown,
  correct: boolean,
): Promise<ValidationResult> {
  return createSchema(
    { type: "object", properties },
    { correct, unknownProperties: "reject", root: "object" },
  ).validate(value);
}

function issuesOf(result: ValidationResult): readonly string[] {
  return result.ok ? [] : result.issues;
}

const strings = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { type: "string" }]));
const keys = (count: number, name: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, "x"]));

it.each([false, true])("thousands of misspelt keys are not all looked up, with correction %s", async (correct) => {
  const lines = issuesOf(await validate(strings(NAMES), keys(30_000, "proprety_name_"), correct));
  expect(lines).toHaveLength(21);
  expect(lines[7]).toBe('proprety_name_7: unknown argument; did you mean "property_name_7"?');
  expect(lines[20]).toBe("and more");
});

it.each([false, true])("thousands of invalid values are not all looked up, with correction %s", async (correct) => {
  const list = Array.from({ length: 20_000 }, (_, index) => `proprety_name_${index}`);
  const lines = issuesOf(await validate({ list: { type: "array", items: { enum: NAMES } } }, { list }, correct));
  expect(lines).toHaveLength(21);
  expect(lines[7]).toMatch(/^list\[7\]: expected one of .*; did you mean "property_name_7"\?$/);
  expect(lines[20]).toBe("and more");
});

it.each([false, true])("a hundred thousand unknown keys are not all visited, with correction %s", async (correct) => {
  const lines = issuesOf(await validate(strings(NAMES.slice(0, 20)), keys(100_000, "k"), correct));
  expect(lines[0]).toMatch(/^k0: unknown argument; known: "property_name_0", .* \(20 in all\)$/);
  expect(lines.slice(20)).toEqual(["and more"]);
});

it("another spelling is found among many names and many keys", async () => {
  const value = keys(300, "propertyName");
  expect(await validate(strings(NAMES), value, true)).toMatchObject({ ok: true, value: keys(300, "property_name_") });
});

it("the example for a deep value is given up where several schemas describe each level", async () => {
  let value: unknown = {};
  for (let depth = 0; depth < 100; depth++) value = { child: value };
  const source = {
    type: "object",
    properties: { child: { $ref: "#" }, id: { type: "string", pattern: "^[0-9]{9}$" } },
    required: ["id"],
    allOf: [{ properties: { child: { $ref: "#" } } }],
  };
  const { validate: run } = createSchema(source, { correct: true, unknownProperties: "reject", root: "object" });
  expect(await run(value)).toMatchObject({ ok: false, example: undefined });
});

it("a mistake deep in a large value is corrected", async () => {
  const nest = (last: unknown): unknown => {
    let value: unknown = { list: [...Array.from({ length: 9000 }, () => 1), last] };
    for (let depth = 0; depth < 60; depth++) value = { child: value };
    return value;
  };
  const list = { type: "array", items: { $ref: "#/$defs/number" } };
  const source = { type: "object", properties: { child: { $ref: "#" }, list }, $defs: { number: { type: "integer" } } };
  const { validate: run } = createSchema(source, { correct: true, unknownProperties: "reject", root: "object" });
  expect(await run(nest("5"))).toMatchObject({ ok: true, value: nest(5) });
});

it("an array of more values than are corrected and explained has an issue nevertheless", async () => {
  const list = Array.from({ length: 25_000 }, () => "1");
  const lines = issuesOf(await validate({ list: { type: "array", items: { type: "integer" } } }, { list }, true));
  expect(lines).toEqual([expect.stringMatching(/^list: expected an array/)]);
});
