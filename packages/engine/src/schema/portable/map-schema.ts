import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";
import { eachSubschema, POSITIONS } from "../dialect.js";

/** Changes a schema and all schemas in it, innermost first. One in which nothing changes stays the same object. */
export function mapSchema(schema: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  const changed: JsonObject = {};
  for (const [keyword, held] of Object.entries(schema)) {
    const next = mapHeld(keyword, held, change);
    if (next !== held) changed[keyword] = next;
  }
  return change(Object.keys(changed).length === 0 ? schema : { ...schema, ...changed });
}

function mapHeld(keyword: string, held: Json, change: (schema: JsonObject) => JsonObject): Json {
  const position = POSITIONS.get(keyword);
  const mapOne = (one: Json): Json => (isObject(one) ? mapSchema(one, change) : one);
  if (position === undefined) return held;
  // Draft-07 has lists where later drafts have one schema.
  if (Array.isArray(held)) {
    const list = held.map(mapOne);
    return list.some((one, at) => one !== held[at]) ? list : held;
  }
  if (position.holds === "one") return mapOne(held);
  if (!isObject(held)) return held;
  const entries = Object.entries(held).map(([name, one]): [string, Json] => [name, mapOne(one)]);
  return entries.some(([name, one]) => one !== held[name]) ? Object.fromEntries(entries) : held;
}

/** Looks for the first schema, this one or one in it, of which something is to be said. */
export function findInSchema<Found>(
  schema: JsonObject,
  look: (schema: JsonObject) => Found | undefined,
): Found | undefined {
  let found = look(schema);
  eachSubschema(schema, (subschema) => {
    if (found === undefined && isObject(subschema)) found = findInSchema(subschema, look);
  });
  return found;
}
