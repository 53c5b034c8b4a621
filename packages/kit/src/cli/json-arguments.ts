import type { JsonObject } from "@toolwright/engine";
import { isObject } from "../json/is-object.js";
import { UsageError } from "./errors.js";

/** Reads what `--json` gave. Throws `UsageError`. */
export function readJsonArguments(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--json is no JSON: ${(error as Error).message}`);
  }
  if (isObject(value)) return value;
  throw new UsageError('--json needs an object of arguments, such as {"text":"hello"}');
}
