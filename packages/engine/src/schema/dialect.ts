import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";

/** The two published forms of JSON Schema that tools are described in. */
export type Dialect = "2020-12" | "draft-07";

/** Reads which dialect a schema is written in; 2020-12 where it does not say. */
export function readDialect(schema: JsonObject): Dialect {
  const uri = schema["$schema"];
  if (uri === undefined) return "2020-12";
  const name = typeof uri === "string" ? uri.replace(/^https?:/, "").replace(/#$/, "") : "";
  if (name === "//json-schema.org/draft/2020-12/schema") return "2020-12";
  if (name === "//json-schema.org/draft-07/schema") return "draft-07";
  throw new TypeError(`Cannot read the schema: $schema ${JSON.stringify(uri)} is neither draft 2020-12 nor draft-07`);
}

/** How a keyword holds its subschemas, and whether they judge the same value as the schema around them. */
export interface Position {
  readonly holds: "one" | "list" | "map";
  readonly judges: "same value" | "part" | "nothing";
}

const at = (holds: Position["holds"], judges: Position["judges"]): Position => ({ holds, judges });

/** Every keyword of 2020-12 that holds subschemas. */
export const POSITIONS: ReadonlyMap<string, Position> = new Map([
  ["allOf", at("list", "same value")],
  ["anyOf", at("list", "same value")],
  ["oneOf", at("list", "same value")],
  ["not", at("one", "same value")],
  ["if", at("one", "same value")],
  ["then", at("one", "same value")],
  ["else", at("one", "same value")],
  ["dependentSchemas", at("map", "same value")],
  ["properties", at("map", "part")],
  ["patternProperties", at("map", "part")],
  ["additionalProperties", at("one", "part")],
  ["propertyNames", at("one", "part")],
  ["unevaluatedProperties", at("one", "part")],
  ["prefixItems", at("list", "part")],
  ["items", at("one", "part")],
  ["contains", at("one", "part")],
  ["unevaluatedItems", at("one", "part")],
  ["$defs", at("map", "nothing")],
  ["definitions", at("map", "nothing")],
]);

/** Goes to the subschemas of a schema: the keyword each stands in, its name or place there, and what it judges. */
export function eachSubschema(
  schema: JsonObject,
  visit: (subschema: Json, judges: Position["judges"], keyword: string, name: string | undefined) => void,
): void {
  for (const keyword in schema) {
    const position = POSITIONS.get(keyword);
    const held = schema[keyword];
    if (!position || held === undefined) continue;
    if (position.holds === "one") visit(held, position.judges, keyword, undefined);
    else {
      for (const name in held as JsonObject) {
        const each = (held as JsonObject)[name];
        if (each !== undefined) visit(each, position.judges, keyword, name);
      }
    }
  }
}

const ONLY_IN_2020 = [
  "$anchor",
  "$dynamicAnchor",
  "$dynamicRef",
  "prefixItems",
  "minContains",
  "maxContains",
  "dependentRequired",
  "dependentSchemas",
  "unevaluatedProperties",
  "unevaluatedItems",
];

/** Says in the words of 2020-12 what a schema says in its own dialect, so that only one dialect has to be understood. */
export function toCurrentWords(schema: JsonObject, dialect: Dialect): JsonObject {
  if (dialect === "2020-12") return schema;
  if (schema["$ref"] !== undefined) {
    // Draft-07 ignores everything beside a $ref; definitions stay reachable.
    const { $ref, definitions } = schema;
    return definitions === undefined ? { $ref } : { $ref, definitions };
  }
  const words: JsonObject = { ...schema };
  for (const keyword of ONLY_IN_2020) delete words[keyword];
  if (Array.isArray(schema["items"])) {
    words["prefixItems"] = schema["items"];
    delete words["items"];
    if (schema["additionalItems"] !== undefined) words["items"] = schema["additionalItems"];
  }
  if (isObject(schema["dependencies"])) {
    const entries = Object.entries(schema["dependencies"]);
    words["dependentRequired"] = Object.fromEntries(entries.filter(([, held]) => Array.isArray(held)));
    words["dependentSchemas"] = Object.fromEntries(entries.filter(([, held]) => !Array.isArray(held)));
  }
  return words;
}
