/** Any value that JSON can write. */
export type Json = string | number | boolean | null | Json[] | JsonObject;

/** A JSON object: the shape of every message and of most of its members. */
export interface JsonObject {
  [key: string]: Json;
}

/** Tells a JSON object from arrays, null and scalars. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
