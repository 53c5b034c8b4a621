import type { Json, JsonObject } from "@toolwright/engine";
import { Failure, kindsOf, parseJsonOption, readValue, showValue, UsageError } from "@toolwright/kit/cli";
import { isObject } from "@toolwright/kit/json";
import { PROJECT_NAME } from "../format/project-path.js";
import type { Entry } from "../library/library.js";
import { parametersOf } from "../projects/render-files.js";
import type { Renderer } from "../rendering/renderer.js";

/** Parses `name=value` arguments by the schemas of templates. They override those in JSON. Throws `UsageError`. */
export function parseParameters(
  pairs: readonly string[],
  json: string | undefined,
  entries: readonly Entry[],
): JsonObject {
  const parsed = pairs.map((pair): [string, Json] => {
    const index = pair.indexOf("=");
    if (index < 1) throw new UsageError(`"${pair}" is not a parameter; write name=value`);
    const name = pair.slice(0, index);
    return [name, parseValue(pair.slice(index + 1), schemaOf(entries, name))];
  });
  return { ...(json !== undefined && parseJsonOption("--parameters", json)), ...Object.fromEntries(parsed) };
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

/** A value that cannot be parsed stays text: the template reports what is wrong with it. */
function parseValue(text: string, schema: JsonObject | undefined): Json {
  const kinds = kindsOf(schema, {});
  const value = readValue(text, kinds);
  if (value === undefined && kinds.includes("array"))
    return text === "" ? [] : text.split(",").map((item) => item.trim());
  return value ?? text;
}

/** Throws a `Failure` with all errors of the parameters, before anything is written. */
export async function assertValid(
  renderer: Renderer,
  entries: readonly Entry[],
  { parameters, given }: { readonly parameters: JsonObject; readonly given: JsonObject },
): Promise<void> {
  const checks = await Promise.all(
    entries.map((entry) => renderer.check(entry.source, parametersOf(entry, parameters))),
  );
  const errors = new Map(
    checks.flatMap((check) => check.errors.map(({ field, message }) => [field, message] as const)),
  );
  if (errors.size === 0) return;
  const lines = [...errors].map(([field, message]) => `  ${field}=${showValue(parameters[field] ?? "")}  ${message}`);
  const hint =
    errors.has(PROJECT_NAME) && given[PROJECT_NAME] === undefined
      ? `\nThe name of the folder is the default. To use another one: ${PROJECT_NAME}=${toValidName(showValue(parameters[PROJECT_NAME] ?? ""))}`
      : "";
  throw new Failure(`Nothing was written. Invalid parameters:\n${lines.join("\n")}${hint}`, 2);
}

/** A similar name that every template accepts. */
function toValidName(name: string): string {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  return plain.replaceAll(/[^A-Za-z0-9]+/g, "-").replaceAll(/^[-0-9]+|-$/g, "") || "my-project";
}
