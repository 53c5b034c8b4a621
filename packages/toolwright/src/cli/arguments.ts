import type { Json, JsonObject } from "@toolwright/engine";
import type { ListedTool } from "@toolwright/engine/client";
import { Failure } from "./failure.js";
import { UsageError } from "./usage-error.js";
import { describeKinds, isObject, kindsOf, readValue } from "./values.js";

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

/** The tool of this name. Throws a failure that says which there are. */
export function findTool(tools: readonly ListedTool[], name: string): ListedTool {
  const found = tools.find((tool) => tool.name === name);
  if (found) return found;
  const names = tools.map((tool) => tool.name).join(", ");
  throw new Failure(`There is no tool "${name}"; ${names === "" ? "the server has none" : `there are ${names}`}`, 2);
}

/** Reads `name=value` words by the schema of a tool. Throws a failure that says what the tool takes. */
export function readArguments(
  tool: ListedTool,
  pairs: readonly (readonly [name: string, text: string])[],
): Readonly<Record<string, Json>> {
  const { schema, properties } = inputOf(tool);
  const read = pairs.map(([name, text]): [string, Json] => {
    const isKnown = Object.hasOwn(properties, name);
    if (!isKnown && !takesMore(schema)) throw new Failure(unknownArgument(tool, name), 2);
    const kinds = isKnown ? kindsOf(properties[name], schema) : [];
    const value = readValue(text, kinds);
    if (value === undefined) throw new Failure(`${name} must be ${describeKinds(kinds)}, not "${text}"`, 2);
    return [name, value];
  });
  return Object.fromEntries(read);
}

/** What a tool takes, by name; a server may have left it out. */
export function inputOf({ inputSchema }: ListedTool): { readonly schema: JsonObject; readonly properties: JsonObject } {
  const schema = isObject(inputSchema) ? inputSchema : {};
  return { schema, properties: isObject(schema["properties"]) ? schema["properties"] : {} };
}

/** The names of what a tool takes, with a star where it is required. */
export function argumentNames(tool: ListedTool): string[] {
  const { schema, properties } = inputOf(tool);
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.keys(properties).map((name) => (required.includes(name) ? `${name}*` : name));
}

/** By JSON Schema any name will do unless it is forbidden; servers that list their arguments seldom mean that. */
function takesMore(schema: JsonObject): boolean {
  const { additionalProperties: more } = schema;
  if (more === true || isObject(more)) return true;
  return ["patternProperties", "$ref", "anyOf", "oneOf", "allOf"].some((name) => name in schema);
}

function unknownArgument(tool: ListedTool, name: string): string {
  const names = argumentNames(tool);
  const known = names.length === 0 ? "it takes none" : `it takes ${names.join(", ")} (* = required)`;
  return `"${name}" is no argument of "${tool.name}"; ${known}`;
}
