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
