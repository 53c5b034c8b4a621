import { expect, it } from "vitest";
import { createSchema, type Reading } from "./schema.js";

/** So many that looking the nearest name up for every wrong one would take longer than a test may. */
const NAMES = Array.from({ length: 300 }, (_, index) => `property_name_${index}`);

async function read(properties: Record<string, unknown>, value: unknown, repair: boolean): Promise<Reading> {
  return createSchema({ type: "object", properties }, { repair, unknownKeys: "refuse", root: "object" }).read(value);
}

function faults(reading: Reading): readonly string[] {
  return reading.ok ? [] : reading.faults;
}

const strings = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { type: "string" }]));
const keys = (count: number, name: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, "x"]));

it.each([false, true])("thousands of misspelt keys are counted, not looked up, with repair %s", async (repair) => {
  const lines = faults(await read(strings(NAMES), keys(30_000, "proprety_name_"), repair));
  expect(lines).toHaveLength(21);
  expect(lines[7]).toBe('proprety_name_7: unknown argument; did you mean "property_name_7"?');
  expect(lines[20]).toBe("and more than 2000 more");
});

it.each([false, true])("thousands of wrong words are counted, not looked up, with repair %s", async (repair) => {
  const list = Array.from({ length: 20_000 }, (_, index) => `proprety_name_${index}`);
  const lines = faults(await read({ list: { type: "array", items: { enum: NAMES } } }, { list }, repair));
  expect(lines).toHaveLength(21);
  expect(lines[7]).toMatch(/^list\[7\]: expected one of .*; did you mean "property_name_7"\?$/);
  expect(lines[20]).toBe("and more than 2000 more");
});

it.each([false, true])("a hundred thousand unknown keys are not all looked at, with repair %s", async (repair) => {
  const lines = faults(await read(strings(NAMES.slice(0, 20)), keys(100_000, "k"), repair));
  expect(lines[0]).toMatch(/^k0: unknown argument; known: "property_name_0", .* \(20 in all\)$/);
  expect(lines.slice(20)).toEqual(["and more than 2000 more"]);
});

it("an example looks fifty names up and drops the other unknown keys", async () => {
  const reading = await read(strings(NAMES), keys(90, "proprety_name_"), false);
  const example = reading.ok ? undefined : reading.example;
  expect(Object.keys(example ?? {})).toEqual(NAMES.slice(0, 50));
});

it("another spelling is found among many names and many keys", async () => {
  const value = keys(300, "propertyName");
  expect(await read(strings(NAMES), value, true)).toMatchObject({ ok: true, value: keys(300, "property_name_") });
});
