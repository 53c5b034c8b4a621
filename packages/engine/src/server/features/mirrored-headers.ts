import { isObject, type Json, type JsonObject } from "../../jsonrpc/messages.js";

/** The member of the params that the `Mcp-Name` header mirrors, by method. */
export const NAME_HEADER_PARAMS: ReadonlyMap<string, "name" | "uri" | "taskId"> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

/** An HTTP token: the syntax of a header name. */
export const HTTP_TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const ANNOTATION = "x-mcp-header";
const ALLOWED_TYPES = new Set<unknown>(["string", "integer", "boolean"]);
const DATA_KEYWORDS = new Set(["const", "enum", "default", "examples"]);

/** An `x-mcp-header` annotation in an input schema. */
interface HeaderAnnotation {
  readonly name: Json;
  /** The schema that has the annotation. */
  readonly schema: JsonObject;
  /** The path of the argument; undefined if it is not reached through `properties` alone. */
  readonly path: readonly string[] | undefined;
}

function* findAnnotations(value: Json, path: readonly string[] | undefined): Generator<HeaderAnnotation> {
  if (Array.isArray(value)) for (const item of value) yield* findAnnotations(item, undefined);
  if (!isObject(value)) return;
  if (ANNOTATION in value) yield { name: value[ANNOTATION], schema: value, path };
  for (const [keyword, inner] of Object.entries(value)) {
    if (keyword === "properties" && isObject(inner))
      for (const [key, property] of Object.entries(inner)) yield* findAnnotations(property, path && [...path, key]);
    else if (!DATA_KEYWORDS.has(keyword)) yield* findAnnotations(inner, undefined);
  }
}

/** Tells whether a schema mirrors arguments in headers. They are rare, and a text search is much faster than a walk. */
export const hasHeaderAnnotations = (schema: JsonObject): boolean => JSON.stringify(schema).includes(`"${ANNOTATION}"`);

/**
 * Describes what is wrong with the `x-mcp-header` annotations of an input schema, or returns undefined. Each must be a unique
 * HTTP token on a string, integer or boolean that is reached through `properties` alone.
 */
export function headerAnnotationIssue(inputSchema: JsonObject): string | undefined {
  const seen = new Set<string>();
  for (const { name, schema, path } of findAnnotations(inputSchema, [])) {
    if (typeof name !== "string" || !HTTP_TOKEN.test(name))
      return `${ANNOTATION} ${JSON.stringify(name)} is not an HTTP token`;
    if (seen.has(name.toLowerCase())) return `${ANNOTATION} "${name}" is used twice`;
    seen.add(name.toLowerCase());
    if (path === undefined) return `${ANNOTATION} "${name}" must be reached through properties alone`;
    if (!ALLOWED_TYPES.has(schema["type"])) return `${ANNOTATION} "${name}" needs a string, integer or boolean`;
  }
  return undefined;
}

/** An argument of a tool that a header mirrors. */
export interface MirroredArgument {
  /** The keys that lead to it from the arguments. */
  readonly path: readonly string[];
  /** The path for messages, such as `options.region`. */
  readonly displayPath: string;
  /** The header name as the tool spells it. */
  readonly header: string;
  /** The header name in lower case, for lookups. */
  readonly key: string;
}

/** Finds the arguments that an input schema with valid annotations mirrors in headers. */
export function findMirroredArguments(inputSchema: JsonObject): readonly MirroredArgument[] {
  const mirrored: MirroredArgument[] = [];
  for (const { name, path } of findAnnotations(inputSchema, [])) {
    if (typeof name !== "string" || path === undefined) continue;
    const header = `Mcp-Param-${name}`;
    mirrored.push({ path, displayPath: path.join("."), header, key: header.toLowerCase() });
  }
  return Object.freeze(mirrored);
}

/** Returns the value at a path of the arguments, or undefined if there is none. */
export function getValueAtPath(input: Json | undefined, path: readonly string[]): Json | undefined {
  let value = input;
  for (const key of path) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}
