import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";

/** A name that HTTP takes for a header. */
export const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const CARRIERS = new Set<unknown>(["string", "integer", "boolean"]);

/** Whether a schema wants arguments repeated in headers. The native search is far cheaper than a walk, and the word is rare. */
export const hasHeaders = (schema: JsonObject): boolean => JSON.stringify(schema).includes('"x-mcp-header"');

/**
 * Why the `x-mcp-header` annotations of a tool's input schema cannot stand, or undefined. A header must be an HTTP token,
 * used once, on a string, integer or boolean that is reached through `properties` alone.
 */
export function headerFault(schema: JsonObject): string | undefined {
  const seen = new Set<string>();
  const faultOf = (name: Json, owner: JsonObject, reachable: boolean): string | undefined => {
    if (typeof name !== "string" || !TOKEN.test(name))
      return `x-mcp-header ${JSON.stringify(name)} is not an HTTP token`;
    if (seen.has(name.toLowerCase())) return `x-mcp-header "${name}" is used twice`;
    seen.add(name.toLowerCase());
    if (!reachable) return `x-mcp-header "${name}" must be reached through properties alone`;
    if (!CARRIERS.has(owner["type"])) return `x-mcp-header "${name}" needs a string, integer or boolean`;
    return undefined;
  };
  const walk = (value: Json, reachable: boolean): string | undefined => {
    if (Array.isArray(value)) return firstFault(value.map((entry) => () => walk(entry, false)));
    if (!isObject(value)) return undefined;
    const own = "x-mcp-header" in value ? faultOf(value["x-mcp-header"], value, reachable) : undefined;
    return (
      own ??
      firstFault(
        Object.entries(value).map(
          ([key, entry]) =>
            () =>
              walkKeyword(key, entry, reachable),
        ),
      )
    );
  };
  const walkKeyword = (key: string, entry: Json, reachable: boolean): string | undefined => {
    if (key === "const" || key === "enum" || key === "default" || key === "examples") return undefined;
    if (key !== "properties" || !isObject(entry)) return walk(entry, false);
    return firstFault(Object.values(entry).map((property) => () => walk(property, reachable)));
  };
  return walk(schema, true);
}

function firstFault(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const fault = check();
    if (fault !== undefined) return fault;
  }
  return undefined;
}
