import { isObject, type Json, type JsonObject, omit } from "../jsonrpc/messages.js";
import { allowedValues, possibleTypes } from "./analyze.js";
import {
  branchesOfSameType,
  closestBranch,
  knownPropertyNames,
  propertySchemas,
  requiredProperties,
  unknownProperties,
} from "./applicable-schemas.js";
import { closestMatch } from "./closest-match.js";
import { compileNumber } from "./compile-types.js";
import { setOwn } from "./json-value.js";
import type { SchemaNode } from "./schema-node.js";

const MAX_DEPTH = 8;
const MAX_LENGTH = 100;

const FORMAT_EXAMPLES: Readonly<Record<string, string>> = {
  date: "2025-01-31",
  time: "12:00:00Z",
  "date-time": "2025-01-31T12:00:00Z",
  duration: "P1D",
  email: "name@example.com",
  uri: "https://example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
};

/** Returns a valid value that keeps what is right in a value, or a minimal one; undefined = none was found. */
export function nearestValue(node: SchemaNode, value: Json | undefined, depth = 0): Json | undefined {
  if (value === undefined) return createPlaceholder(node, depth);
  // If several schemas describe the same part of a recursive value, the attempts double with each level.
  if (node.budget.remaining < 0) return undefined;
  let near = node.accepts(value) ? value : adjust(node, value, depth);
  const branches = node.choices().map((choice) => closestBranch(branchesOfSameType(choice, value), value));
  for (const part of [...node.conjuncts(), ...branches]) near = nearestOrSame(part, near, depth);
  for (const conditional of node.conditionals(near)) near = nearestOrSame(conditional, near, depth);
  return node.accepts(near) ? near : createPlaceholder(node, depth);
}

function nearestOrSame<T extends Json | undefined>(node: SchemaNode | undefined, value: T, depth: number): Json | T {
  const near = node && nearestValue(node, value, depth);
  return near === undefined ? value : near;
}

/** Applies what a node itself requires: the closest allowed text, a number within the bounds, valid items and properties. */
function adjust(node: SchemaNode, value: Json, depth: number): Json {
  const { minimum = -Infinity, maximum = Infinity } = node.schema as Record<string, number>;
  if (typeof value === "string") {
    const texts = (allowedValues(node) ?? []).filter((allowed) => typeof allowed === "string");
    return closestMatch(value, texts) ?? value;
  }
  if (typeof value === "number") {
    const number = node.schema["type"] === "integer" ? Math.round(value) : value;
    return Math.min(Math.max(number, minimum), maximum);
  }
  if (Array.isArray(value)) return adjustItems(node, value, depth);
  return isObject(value) ? adjustObject(node, value, depth) : value;
}

function adjustItems(node: SchemaNode, value: readonly Json[], depth: number): Json[] {
  const { minItems = 0, maxItems = Infinity } = node.schema as Record<string, number>;
  const itemSchema = node.itemSchemas();
  const contains = node.subschema("contains");
  const minLength = Math.min(Math.max(minItems, contains ? 1 : 0), MAX_LENGTH);
  const length = Math.min(Math.max(value.length, minLength), maxItems);
  return Array.from(
    { length },
    (_, index) => nearestOrSame(itemSchema(index) ?? contains, value[index], depth + 1) ?? null,
  );
}

/** Renames or drops unknown keys, adjusts the other properties and adds required ones. */
function adjustObject(node: SchemaNode, value: JsonObject, depth: number): JsonObject {
  const unknown = unknownProperties(node, value, Infinity);
  const absent = knownPropertyNames(node).filter((name) => !Object.hasOwn(value, name));
  const result = omit(value, ...unknown);
  for (const key of unknown) {
    const name = closestMatch(key, absent);
    if (name !== undefined) setOwn(result, name, value[key] as Json);
  }
  for (const [name, property] of propertySchemas(node, result))
    setOwn(result, name, nearestOrSame(property, result[name] as Json, depth + 1));
  const properties = new Map(node.namedSubschemas("properties"));
  for (const name of requiredProperties(node, result)) {
    if (Object.hasOwn(result, name)) continue;
    const property = properties.get(name);
    setOwn(result, name, (property && createPlaceholder(property, depth + 1)) ?? "text");
  }
  return result;
}

/** Creates the smallest value that a node is likely to accept. */
function createPlaceholder(node: SchemaNode, depth: number): Json | undefined {
  if (node.isFalse || depth > MAX_DEPTH) return undefined;
  const { schema } = node;
  const candidates = [schema["default"], ...[schema["examples"] ?? []].flat(), ...(allowedValues(node) ?? [])];
  const fitting = candidates.find((value) => value !== undefined && node.accepts(value));
  if (fitting !== undefined) return fitting;
  const byType = placeholderByType(node, depth);
  if (node.accepts(byType)) return byType;
  for (const part of [...node.conjuncts(), ...node.choices().flat()]) {
    const value = createPlaceholder(part, depth + 1);
    if (value !== undefined && node.accepts(value)) return value;
  }
  return undefined;
}

function placeholderByType(node: SchemaNode, depth: number): Json {
  const { schema } = node;
  const types = possibleTypes(node);
  const isObjectLikely = types.size === 1 || schema["properties"] !== undefined;
  if (types.has("object") && isObjectLikely) return adjustObject(node, {}, depth);
  if (types.has("string")) return placeholderString(schema);
  if (types.has("number")) return placeholderNumber(schema);
  if (types.has("boolean")) return true;
  if (types.has("array")) return adjustItems(node, [], depth);
  return types.has("object") ? adjustObject(node, {}, depth) : null;
}

function placeholderString(schema: JsonObject): string {
  const { minLength = 0, maxLength = MAX_LENGTH } = schema as Record<string, number>;
  const { format } = schema;
  const text = (typeof format === "string" ? FORMAT_EXAMPLES[format] : undefined) ?? "text";
  return text.padEnd(Math.min(minLength, MAX_LENGTH), "x").slice(0, maxLength);
}

function placeholderNumber(schema: JsonObject): number {
  const bounds = schema as Readonly<Record<string, number | undefined>>;
  const low = bounds["minimum"] ?? bounds["exclusiveMinimum"] ?? -Infinity;
  const high = bounds["maximum"] ?? bounds["exclusiveMaximum"] ?? Infinity;
  const step = bounds["multipleOf"] ?? 1;
  const lowest = Math.ceil(low / step) * step;
  const candidates = [1, 0, lowest, lowest + step, low, (low + high) / 2, high, high - step];
  return candidates.find((value) => Number.isFinite(value) && compileNumber(schema, "number")(value)) ?? 0;
}
