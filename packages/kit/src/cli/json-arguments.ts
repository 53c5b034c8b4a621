import type { JsonObject } from "@toolwright/engine";
import { isObject } from "../json/is-object.js";
import { UsageError } from "./errors.js";

/** Parses the JSON object that an option has. Throws `UsageError`. */
export function parseJsonOption(flag: string, text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${flag} is not JSON: ${(error as Error).message}`);
  }
  if (isObject(value)) return value;
  throw new UsageError(`${flag} must be a JSON object of arguments, such as {"text":"hello"}`);
}
