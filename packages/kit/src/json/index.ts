import type { JsonObject } from "@toolwright/engine";

/** Tells an object of JSON, or of what is written like it, from arrays, null and scalars. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
