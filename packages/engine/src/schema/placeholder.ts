import type { Json, JsonObject } from "../jsonrpc/messages.js";
import { allowedValues, possibleTypes } from "./analyze.js";
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

/** Returns a valid value close to an invalid one: the closest allowed value, a number within the bounds, or a placeholder. */
export function nearestValue(node: SchemaNode, value: unknown): Json | undefined {
  const near = adjust(node, value);
  return near !== undefined && node.accepts(near) ? near : createPlaceholder(node);
}

function adjust(node: SchemaNode, value: unknown): Json | undefined {
  const { minimum = -Infinity, maximum = Infinity, minItems = 0, maxItems } = node.schema as Record<string, number>;
  if (typeof value === "string") {
    const texts = (allowedValues(node) ?? []).filter((allowed) => typeof allowed === "string");
    return closestMatch(value, texts);
  }
  if (typeof value === "number") {
    const number = node.schema["type"] === "integer" ? Math.round(value) : value;
    return Math.min(Math.max(number, minimum), maximum);
  }
  if (!Array.isArray(value)) return undefined;
  const missing = placeholderItems(node, value.length, Math.min(minItems, MAX_LENGTH));
  return [...value.slice(0, maxItems), ...missing];
}

/** Creates the smallest value that a node is likely to accept. */
export function createPlaceholder(node: SchemaNode, depth = 0): Json | undefined {
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
  if (types.has("object") && isObjectLikely) return placeholderObject(node, depth);
  if (types.has("string")) return placeholderString(schema);
  if (types.has("number")) return placeholderNumber(schema);
  if (types.has("boolean")) return true;
  if (types.has("array")) {
    const { minItems = 0 } = schema as Record<string, number>;
    const length = Math.max(minItems, schema["contains"] === undefined ? 0 : 1);
    return placeholderItems(node, 0, Math.min(length, MAX_LENGTH), depth);
  }
  return types.has("object") ? placeholderObject(node, depth) : null;
}

function placeholderObject(node: SchemaNode, depth: number): JsonObject {
  const properties = new Map(node.namedSubschemas("properties"));
  const result: JsonObject = {};
  for (const name of node.required) {
    const property = properties.get(name);
    setOwn(result, name, (property && createPlaceholder(property, depth + 1)) ?? "text");
  }
  return result;
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

function placeholderItems(node: SchemaNode, from: number, to: number, depth = 0): Json[] {
  const itemSchema = node.itemSchemas();
  return Array.from({ length: Math.max(to - from, 0) }, (_, index) => {
    const schema = itemSchema(from + index) ?? node.subschema("contains");
    return (schema && createPlaceholder(schema, depth + 1)) ?? null;
  });
}
