import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";

/** The member of the params that `Mcp-Name` repeats, by method. */
export const NAMED: ReadonlyMap<string, "name" | "uri" | "taskId"> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

/** An argument of a tool that a header repeats. */
export interface MirroredArgument {
  /** The keys that lead to it from the arguments. */
  readonly path: readonly string[];
  /** The same, as people write it. */
  readonly place: string;
  /** The header's name as the tool has spelled it. */
  readonly header: string;
  /** The same in lower case, by which headers are found. */
  readonly key: string;
}

/** The arguments that an input schema wants repeated in headers; its annotations have been found right before. */
export function mirroredArguments(schema: JsonObject): readonly MirroredArgument[] {
  return Object.freeze(annotated(schema, []));
}

function annotated(schema: Json, path: readonly string[]): MirroredArgument[] {
  if (!isObject(schema)) return [];
  const name = schema["x-mcp-header"];
  const own = typeof name === "string" ? [mirrored(path, `Mcp-Param-${name}`)] : [];
  const { properties } = schema;
  if (!isObject(properties)) return own;
  return [...own, ...Object.entries(properties).flatMap(([key, property]) => annotated(property, [...path, key]))];
}

const mirrored = (path: readonly string[], header: string): MirroredArgument => ({
  path,
  place: path.join("."),
  header,
  key: header.toLowerCase(),
});

/** What stands at a path of the arguments; undefined = nothing does. */
export function valueAt(given: Json | undefined, path: readonly string[]): Json | undefined {
  let value = given;
  for (const key of path) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}
