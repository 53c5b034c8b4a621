import type { Json, JsonObject } from "@toolwright/engine";
import { kindsOf, readJsonArguments, readValue, UsageError } from "@toolwright/kit/cli";
import { isObject } from "@toolwright/kit/json";
import type { Entry } from "../library/library.js";

/** Reads `name=value` words by the schemas of templates; what `--json` gave is weaker. Throws `UsageError`. */
export function readParameters(
  words: readonly string[],
  json: string | undefined,
  entries: readonly Entry[],
): JsonObject {
  const pairs = words.map((word): [string, Json] => {
    const at = word.indexOf("=");
    if (at < 1) throw new UsageError(`"${word}" is no parameter; write name=value`);
    const name = word.slice(0, at);
    return [name, readOne(word.slice(at + 1), schemaOf(entries, name))];
  });
  return { ...(json !== undefined && readJsonArguments(json)), ...Object.fromEntries(pairs) };
}

/** The schema of a parameter in the first template that has it. */
function schemaOf(entries: readonly Entry[], name: string): JsonObject | undefined {
  for (const { schema } of entries) {
    const properties = schema["properties"] as JsonObject;
    const found = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (found !== undefined && isObject(found)) return found;
  }
  return undefined;
}

/** What cannot be read is passed on as text: the template says what is wrong with it. */
function readOne(text: string, schema: JsonObject | undefined): Json {
  const kinds = kindsOf(schema, {});
  const value = readValue(text, kinds);
  if (value === undefined && kinds.includes("array"))
    return text === "" ? [] : text.split(",").map((item) => item.trim());
  return value ?? text;
}
