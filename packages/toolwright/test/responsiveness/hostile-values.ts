type Schema = Readonly<Record<string, unknown>>;

/** Where a value lies in arguments: names of members, and 0 for an item of an array. */
export type Position = readonly (string | number)[];

/** A string or array of a schema, and where it lies in arguments. */
export interface Slot {
  readonly kind: "string" | "array" | "object";
  readonly position: Position;
  /** The length or number of items that the schema allows. */
  readonly limit: number | undefined;
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const typesOf = (schema: Schema): readonly unknown[] => [schema["type"] ?? []].flat();

/** Every string, array and open object that a schema describes. */
export function slotsOf(schema: Schema, position: Position = []): Slot[] {
  const slots: Slot[] = [];
  const types = typesOf(schema);
  const limitOf = (keyword: string): number | undefined => {
    const limit = schema[keyword];
    return typeof limit === "number" ? limit : undefined;
  };
  if (schema["enum"] === undefined && schema["const"] === undefined) {
    if (types.includes("string")) slots.push({ kind: "string", position, limit: limitOf("maxLength") });
    if (types.includes("array")) slots.push({ kind: "array", position, limit: limitOf("maxItems") });
    if (types.includes("object") && position.length > 0 && schema["additionalProperties"] !== false)
      slots.push({ kind: "object", position, limit: limitOf("maxProperties") });
  }
  for (const keyword of ["anyOf", "oneOf", "allOf"])
    for (const each of (schema[keyword] as readonly unknown[] | undefined) ?? [])
      if (isSchema(each)) slots.push(...slotsOf(each, position));
  for (const [name, each] of Object.entries((schema["properties"] ?? {}) as Schema))
    if (isSchema(each)) slots.push(...slotsOf(each, [...position, name]));
  if (isSchema(schema["items"])) slots.push(...slotsOf(schema["items"], [...position, 0]));
  if (isSchema(schema["additionalProperties"]))
    slots.push(...slotsOf(schema["additionalProperties"], [...position, "key"]));
  return slots;
}

/** A small value that a schema accepts. */
export function exampleOf(schema: Schema, name = ""): unknown {
  if (schema["default"] !== undefined) return schema["default"];
  if (schema["const"] !== undefined) return schema["const"];
  const [choice] = (schema["enum"] ?? []) as readonly unknown[];
  if (choice !== undefined) return choice;
  const alternatives = ["anyOf", "oneOf"].flatMap(
    (keyword) => (schema[keyword] as readonly unknown[] | undefined) ?? [],
  );
  const types = typesOf(schema);
  if (types.includes("object") || schema["properties"] !== undefined) {
    const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Schema>>;
    const required = (schema["required"] ?? []) as readonly string[];
    return Object.fromEntries(required.map((key) => [key, exampleOf(properties[key] ?? {}, key)]));
  }
  if (types.includes("array")) return [exampleOf((schema["items"] ?? {}) as Schema, name)];
  if (types.includes("integer") || types.includes("number")) return schema["minimum"] ?? 1;
  if (types.includes("boolean")) return false;
  if (types.includes("string")) return "a".repeat(Math.max(1, Number(schema["minLength"] ?? 1)));
  return isSchema(alternatives[0]) ? exampleOf(alternatives[0], name) : "a";
}

/** A copy of a value with another value at a position. Missing objects and arrays on the way are added. */
export function withValue(source: unknown, [step, ...rest]: Position, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === "number") return [withValue(Array.isArray(source) ? source[step] : undefined, rest, value)];
  const object = isSchema(source) ? source : {};
  return { ...object, [step]: withValue(object[step], rest, value) };
}

const fill = (unit: string) => (length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** Texts that are expensive to parse, match or compare. */
export const HOSTILE_TEXTS: Readonly<Record<string, (length: number) => string>> = {
  same: fill("a"),
  path: fill("a/"),
  slashes: fill("/"),
  yaml: fill("? "),
  nested: (length) => fill("[")(length / 2) + fill("]")(length / 2),
  braces: (length) => fill("{a,")(length / 2) + fill("}")(length / 2),
  groups: (length) => `${fill("(a+")(length / 2)}${fill(")+")(length / 2)}$`,
  alternating: fill("aB"),
  stars: fill("**/*a"),
  words: fill("a. b, "),
  lines: fill("a\n"),
  accents: fill("e\u0301\u{1F600}"),
};

/** Different texts of about some length. */
export const manyItems = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, index) => `${index}/`.padEnd(length, "a/"));

/** An object with many members. */
export const manyMembers = (count: number, length: number): Record<string, string> =>
  Object.fromEntries(manyItems(count, length).map((value, index) => [`k${index}`, value]));
