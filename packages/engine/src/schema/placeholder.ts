import type { Json, JsonObject } from "../jsonrpc/json.js";
import { checkOf } from "./compile.js";
import { isMultiple } from "./compile-scalar.js";
import { allowedValues, kindsOf } from "./kinds.js";
import type { Node } from "./node.js";
import { put } from "./value.js";

const MAX_DEPTH = 8;
const MAX_LENGTH = 100;

const FORMATS: Readonly<Record<string, string>> = {
  date: "2025-01-31",
  time: "12:00:00Z",
  "date-time": "2025-01-31T12:00:00Z",
  duration: "P1D",
  email: "name@example.com",
  uri: "https://example.com",
  url: "https://example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
};

/** Makes the smallest value that a node is likely to accept, for the reader to put a real one in its place. */
export function placeholder(node: Node, depth = 0): Json | undefined {
  if (node.never || depth > MAX_DEPTH) return undefined;
  const { schema } = node;
  const given = [schema["default"], ...[schema["examples"] ?? []].flat(), ...(allowedValues(node) ?? [])];
  const fitting = given.find((value) => value !== undefined && checkOf(node)(value));
  if (fitting !== undefined) return fitting;
  const parts = [...node.targets(), ...node.list("allOf"), ...node.list("anyOf"), ...node.list("oneOf")];
  for (const make of [() => byType(node, depth), ...parts.map((part) => () => placeholder(part, depth + 1))]) {
    const value = make();
    if (value !== undefined && checkOf(node)(value)) return value;
  }
  return undefined;
}

function byType(node: Node, depth: number): Json | undefined {
  const { schema } = node;
  const kinds = kindsOf(node);
  if (kinds.has("object") && (kinds.size === 1 || schema["properties"] !== undefined)) return anObject(node, depth);
  if (kinds.has("string")) return aString(schema);
  if (kinds.has("number")) return aNumber(schema);
  if (kinds.has("boolean")) return true;
  if (kinds.has("array")) return anArray(node, depth);
  return kinds.has("object") ? anObject(node, depth) : null;
}

function aString(schema: JsonObject): string {
  const { minLength = 0, maxLength = MAX_LENGTH } = schema as Record<string, number>;
  const { format } = schema;
  const text = (typeof format === "string" ? FORMATS[format] : undefined) ?? "text";
  return text.padEnd(Math.min(minLength, MAX_LENGTH), "x").slice(0, maxLength);
}

function aNumber(schema: JsonObject): number {
  const {
    minimum,
    maximum,
    exclusiveMinimum,
    exclusiveMaximum,
    multipleOf = 1,
  } = schema as Record<string, number | undefined>;
  const low = minimum ?? exclusiveMinimum ?? -Infinity;
  const high = maximum ?? exclusiveMaximum ?? Infinity;
  const whole = Math.ceil(low / multipleOf) * multipleOf;
  const candidates = [1, 0, whole, whole + multipleOf, low, (low + high) / 2, high, high - multipleOf];
  const inside = (value: number) =>
    Number.isFinite(value) &&
    value >= low &&
    value <= high &&
    value !== exclusiveMinimum &&
    value !== exclusiveMaximum &&
    (schema["multipleOf"] === undefined || isMultiple(value, multipleOf));
  return candidates.find(inside) ?? 0;
}

function anArray(node: Node, depth: number): Json[] {
  const { minItems = 0 } = node.schema as Record<string, number>;
  const first = node.list("prefixItems");
  const rest = node.one("items") ?? node.one("contains");
  const count = Math.min(Math.max(minItems, node.one("contains") ? 1 : 0), MAX_LENGTH);
  return Array.from({ length: count }, (_, index) => {
    const each = first[index] ?? rest;
    return (each && placeholder(each, depth + 1)) ?? null;
  });
}

function anObject(node: Node, depth: number): JsonObject {
  const result: JsonObject = {};
  const properties = new Map(node.map("properties"));
  for (const name of (node.schema["required"] ?? []) as string[]) {
    const property = properties.get(name);
    put(result, name, (property && placeholder(property, depth + 1)) ?? "text");
  }
  return result;
}
