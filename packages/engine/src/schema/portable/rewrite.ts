import { isObject, type Json, type JsonObject, omit } from "../../jsonrpc/messages.js";
import { forEachSubschema, SUBSCHEMA_KEYWORDS } from "../dialects.js";
import { parseDocument, type SchemaDocument } from "../document.js";

type ChangeSchema = (schema: JsonObject) => JsonObject;

/** Applies a change to a schema and all its subschemas, innermost first. */
export function mapSchema(schema: JsonObject, change: ChangeSchema): JsonObject {
  return change(mapSubschemas(schema, (subschema) => mapSchema(subschema, change)));
}

function mapSubschemas(schema: JsonObject, change: ChangeSchema): JsonObject {
  const mapOne = (subschema: Json): Json => (isObject(subschema) ? change(subschema) : subschema);
  const entries = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    const shape = SUBSCHEMA_KEYWORDS.get(keyword)?.shape;
    if (shape === undefined) return [keyword, value];
    // In draft-07, `items` may be a list.
    if (Array.isArray(value)) return [keyword, value.map(mapOne)];
    if (shape === "one" || !isObject(value)) return [keyword, mapOne(value)];
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, subschema]) => [name, mapOne(subschema)]))];
  });
  return Object.fromEntries(entries);
}

/** Returns the first result of `find` for a schema or one of its subschemas. */
export function findInSchema<Found>(
  schema: JsonObject,
  find: (schema: JsonObject) => Found | undefined,
): Found | undefined {
  let found = find(schema);
  forEachSubschema(schema, (subschema) => {
    if (found === undefined && isObject(subschema)) found = findInSchema(subschema, find);
  });
  return found;
}

/** Returns whether a schema or one of its subschemas has a `$ref` or `$dynamicRef`. */
export const hasReferences = (schema: JsonObject): boolean =>
  findInSchema(schema, ({ $ref, $dynamicRef }) => ($ref ?? $dynamicRef) !== undefined || undefined) === true;

/** More subschemas than a model should read; nested references can expand to very many. */
const MAX_INLINED_SCHEMAS = 2_000;

/** Replaces each reference with its target; undefined = the schema is invalid or would become too large. */
export function inlineReferences(root: JsonObject): JsonObject | undefined {
  if (!hasReferences(root)) return root;
  let document: SchemaDocument;
  try {
    document = parseDocument(root, true);
  } catch {
    return undefined;
  }
  let remaining = MAX_INLINED_SCHEMAS;
  const inline = (schema: JsonObject, ancestors: readonly Json[]): JsonObject => {
    remaining -= 1;
    if (remaining < 0) return {};
    const siblings = mapSubschemas(omit(schema, "$ref", "$dynamicRef", "$defs", "definitions"), (subschema) =>
      inline(subschema, ancestors),
    );
    const target = document.schemas.get(schema)?.targets[0]?.schema;
    if (!isObject(target)) return siblings;
    const isRecursive = ancestors.includes(target);
    return { ...(isRecursive ? summarize(target) : inline(target, [...ancestors, target])), ...siblings };
  };
  const inlined = inline(root, [root]);
  return remaining < 0 ? undefined : inlined;
}

/** Stands in for a recursive schema. */
function summarize({ type = "object", title, description }: JsonObject): JsonObject {
  return { type, ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
}
