import type { Json, JsonObject } from "@toolwright/engine";
import { isObject } from "../json/index.js";
import { UsageError } from "./errors.js";

/** Parses the JSON object that an option has. Throws `UsageError`. */
export function parseJsonOption(flag: string, text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${flag} is not JSON: ${(error as Error).message}`);
  }
  if (isObject(value)) return value;
  throw new UsageError(`${flag} must be a JSON object of arguments, such as {"text":"hello"}`);
}

/** The maximum depth of references: schemas can refer to themselves. */
const MOST_STEPS = 16;

/** The JSON types that a schema allows; none = it does not say. */
export function kindsOf(schema: Json | undefined, root: JsonObject, steps = 0): readonly string[] {
  if (!isObject(schema) || steps > MOST_STEPS) return [];
  const { type, $ref: pointer, enum: values } = schema;
  if (typeof pointer === "string") return kindsOf(follow(pointer, root), root, steps + 1);
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.filter((one) => typeof one === "string");
  if (Array.isArray(values)) return unique(values.map(kindOf));
  if (schema["const"] !== undefined) return [kindOf(schema["const"])];
  const parts = [schema["anyOf"], schema["oneOf"], schema["allOf"]].find(Array.isArray) ?? [];
  return unique(parts.flatMap((part) => kindsOf(part, root, steps + 1)));
}

/** Resolves a reference; other schemas are returned unchanged. */
export function resolve(schema: Json | undefined, root: JsonObject, steps = 0): JsonObject {
  if (!isObject(schema) || steps > MOST_STEPS) return {};
  const { $ref: pointer, ...rest } = schema;
  return typeof pointer === "string" ? { ...resolve(follow(pointer, root), root, steps + 1), ...rest } : schema;
}

/** The type of an argument as text: its choices, or its types. */
export function kindWord(schema: Json | undefined, root: JsonObject): string {
  const { enum: values, items } = resolve(schema, root);
  if (Array.isArray(values)) return values.map(showValue).join("|");
  const kinds = kindsOf(schema, root).map((kind) => {
    const item = kind === "array" ? kindWord(items, root) : "";
    return item === "" ? kind : `${item.includes("|") ? `(${item})` : item}[]`;
  });
  return kinds.filter((kind) => kind !== "null").join("|");
}

/** Parses a text as one of these types; undefined = it is none of them. */
export function readValue(text: string, kinds: readonly string[]): Json | undefined {
  if (kinds.length === 0) return text;
  const takesText = kinds.includes("string");
  const value = parse(text);
  const isMeant = value !== undefined && typeof value !== "string" && !(takesText && value === null);
  if (isMeant && (kinds.includes(kindOf(value)) || (Number.isInteger(value) && kinds.includes("integer"))))
    return value;
  return takesText ? text : undefined;
}

/** A value as people read it: text as it is, anything else as JSON. */
export function showValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The types in the words of a refusal. */
export function describeKinds(kinds: readonly string[]): string {
  return kinds.map((kind) => DESCRIPTIONS[kind] ?? kind).join(" or ");
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: 'an array in JSON, such as ["a","b"]',
  object: 'an object in JSON, such as {"a":1}',
};

/** A pointer into the same schema, such as `#/$defs/Place`. */
function follow(pointer: string, root: JsonObject): Json | undefined {
  if (!pointer.startsWith("#/")) return undefined;
  const names = pointer.slice(2).split("/");
  return names.reduce<Json | undefined>((value, name) => {
    const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
    return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, root);
}

function kindOf(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const unique = (kinds: readonly string[]): readonly string[] => [...new Set(kinds)];
