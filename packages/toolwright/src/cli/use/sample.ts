import type { Json, JsonObject } from "@toolwright/engine";
import { kindsOf, resolve } from "@toolwright/kit/cli";
import { isObject } from "@toolwright/kit/json";

/** Schemas that hold themselves would go on for ever. */
const DEEPEST = 5;

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "2030-01-31T12:00:00Z",
  date: "2030-01-31",
  time: "12:00:00Z",
  duration: "PT1H",
  email: "ada@example.com",
  hostname: "example.com",
  ipv4: "127.0.0.1",
  ipv6: "::1",
  uri: "https://example.com",
  url: "https://example.com",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
};

/** A value that a schema allows, for an example: what its author gives as one, or else the simplest that will do. */
export function sampleOf(given: Json | undefined, root: JsonObject, depth = 0): Json {
  const schema = resolve(given, root);
  const { examples, default: usual, const: only, enum: choices } = schema;
  const told = [Array.isArray(examples) ? examples[0] : undefined, only, usual].find((value) => value !== undefined);
  if (told !== undefined) return told;
  if (Array.isArray(choices) && choices[0] !== undefined) return choices[0];
  const parts = [schema["anyOf"], schema["oneOf"], schema["allOf"]].find(Array.isArray);
  if (schema["type"] === undefined && parts?.[0] !== undefined && depth < DEEPEST)
    return sampleOf(parts[0], root, depth + 1);
  const [kind = "string"] = kindsOf(schema, root);
  if (kind === "number" || kind === "integer") return numberOf(schema);
  if (kind === "boolean") return true;
  if (kind === "null") return null;
  if (kind === "array") return itemsOf(schema, root, depth);
  return kind === "object" ? membersOf(schema, root, depth) : textOf(schema);
}

function textOf({ format, minLength, maxLength }: JsonObject): string {
  const text = FORMATS[typeof format === "string" ? format : ""] ?? "hello";
  const least = typeof minLength === "number" ? minLength : 0;
  return text.padEnd(Math.min(least, 200), "x").slice(0, typeof maxLength === "number" ? maxLength : undefined);
}

function numberOf(schema: JsonObject): number {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema as Record<string, number>;
  const step = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : 1;
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + step);
  const most = maximum ?? (exclusiveMaximum === undefined ? undefined : exclusiveMaximum - step);
  const near = Math.min(Math.max(1, least ?? Number.NEGATIVE_INFINITY), most ?? Number.POSITIVE_INFINITY);
  return multipleOf === undefined ? near : Math.ceil(near / step) * step;
}

function itemsOf(schema: JsonObject, root: JsonObject, depth: number): Json[] {
  const { items, minItems } = schema;
  if (depth >= DEEPEST) return [];
  const count = Math.min(Math.max(1, typeof minItems === "number" ? minItems : 1), 10);
  return Array.from({ length: count }, () => sampleOf(items, root, depth + 1));
}

function membersOf(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  const { properties, required } = schema;
  if (!isObject(properties) || !Array.isArray(required) || depth >= DEEPEST) return {};
  const names = required.filter((name): name is string => typeof name === "string");
  return Object.fromEntries(names.map((name) => [name, sampleOf(properties[name], root, depth + 1)]));
}
