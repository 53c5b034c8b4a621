import type { JsonObject } from "../../jsonrpc/json.js";
import { findInSchema, mapSchema } from "./map-schema.js";

/** Keywords that some interfaces have no field for, and refuse the whole request over. */
const UNKNOWN: readonly string[] = [
  "$schema",
  "$id",
  "$comment",
  "$anchor",
  "$dynamicAnchor",
  "patternProperties",
  "propertyNames",
  "unevaluatedProperties",
  "unevaluatedItems",
  "dependentRequired",
  "dependentSchemas",
  "contains",
  "minContains",
  "maxContains",
  "uniqueItems",
  "multipleOf",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  "not",
  "if",
  "then",
  "else",
  "const",
  "exclusiveMinimum",
  "exclusiveMaximum",
];

/** The first keyword of a schema that plain words do without. */
export const findUnplain = (schema: JsonObject): string | undefined =>
  findInSchema(schema, (one) => UNKNOWN.find((keyword) => one[keyword] !== undefined));

/** Says a schema in few keywords: what they can say is kept, all else is left to the check of the arguments. */
export const inPlainWords = (schema: JsonObject): JsonObject => mapSchema(schema, plain);

function plain(schema: JsonObject): JsonObject {
  if (!UNKNOWN.some((keyword) => schema[keyword] !== undefined)) return schema;
  const { const: value, exclusiveMinimum: above, exclusiveMaximum: below, type } = schema;
  const kept: JsonObject = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !UNKNOWN.includes(keyword)));
  const step = type === "integer" ? 1 : 0;
  return {
    ...kept,
    ...(typeof value === "string" && { enum: [value] }),
    ...(typeof above === "number" && kept["minimum"] === undefined && { minimum: above + step }),
    ...(typeof below === "number" && kept["maximum"] === undefined && { maximum: below - step }),
  };
}
