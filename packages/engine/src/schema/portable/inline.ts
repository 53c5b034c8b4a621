import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";
import { eachSubschema, POSITIONS } from "../dialect.js";
import { findInSchema } from "./map-schema.js";

/** More subschemas than a model should read; references inside references can stand for very many. */
const MOST_SCHEMAS = 2_000;
const DEFINITIONS: ReadonlySet<string> = new Set(["$defs", "definitions"]);

/** Whether a schema refers to another one. */
export const hasReferences = (schema: JsonObject): boolean =>
  findInSchema(schema, (one) => (one["$ref"] ?? one["$dynamicRef"]) !== undefined || undefined) === true;

/** Puts what is referred to in the place of each reference; undefined = it would become too large. */
export function inlineReferences(root: JsonObject): JsonObject | undefined {
  let left = MOST_SCHEMAS;
  const inline = (schema: JsonObject, above: readonly Json[]): JsonObject => {
    left -= 1;
    if (left < 0) return {};
    const { $ref, $dynamicRef, ...beside } = schema;
    const reference = $ref ?? $dynamicRef;
    if (reference === undefined) return inlineWithin(schema, (one) => inline(one, above));
    const target = typeof reference === "string" ? resolve(root, reference) : undefined;
    const rest = inlineWithin(beside, (one) => inline(one, above));
    if (!isObject(target)) return rest;
    return { ...(above.includes(target) ? outline(target) : inline(target, [...above, target])), ...rest };
  };
  const inlined = inline(root, [root]);
  return left < 0 ? undefined : inlined;
}

/** A schema that leads back to itself ends here, with what it is called. */
function outline({ type = "object", title, description }: JsonObject): JsonObject {
  return { type, ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
}

/** What is held by definitions alone is no longer needed. */
function inlineWithin(schema: JsonObject, inline: (schema: JsonObject) => JsonObject): JsonObject {
  const change = (one: Json): Json => (isObject(one) ? inline(one) : one);
  const entries = Object.entries(schema).filter(([keyword]) => !DEFINITIONS.has(keyword));
  const changed = entries.map(([keyword, held]): [string, Json] => {
    const holds = POSITIONS.get(keyword)?.holds;
    if (holds === undefined) return [keyword, held];
    if (Array.isArray(held)) return [keyword, held.map(change)];
    if (holds === "one" || !isObject(held)) return [keyword, change(held)];
    return [keyword, Object.fromEntries(Object.entries(held).map(([name, one]) => [name, change(one)]))];
  });
  return Object.fromEntries(changed);
}

/** The schema that a reference within the same document leads to. */
export function resolve(root: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith("#")) return undefined;
  const place = unescaped(reference.slice(1));
  if (place !== "" && !place.startsWith("/")) return findAnchor(root, place);
  let found: Json | undefined = root;
  for (const step of place.split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    const isThere: boolean = typeof found === "object" && found !== null && Object.hasOwn(found, name);
    found = isThere ? (found as JsonObject)[name] : undefined;
  }
  return found;
}

function findAnchor(schema: JsonObject, name: string): JsonObject | undefined {
  if (schema["$anchor"] === name || schema["$dynamicAnchor"] === name) return schema;
  let found: JsonObject | undefined;
  eachSubschema(schema, (one) => {
    if (found === undefined && isObject(one)) found = findAnchor(one, name);
  });
  return found;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
