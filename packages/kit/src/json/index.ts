import type { JsonObject } from "@toolwright/engine";

/** Whether a value is a JSON object: no array, null or scalar. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
