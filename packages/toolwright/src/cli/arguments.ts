import type { Json, JsonObject } from "@toolwright/engine";
import type { ListedTool } from "@toolwright/engine/client";
import { describeKinds, Failure, kindsOf, readValue, resolve, showValue } from "@toolwright/kit/cli";
import { isObject } from "@toolwright/kit/json";
import { didYouMean, nearOf } from "./use/near.js";

/** Hears what was corrected. */
export type OnCorrection = (note: string) => void;

/** What was given as `name=value`. */
export type Pairs = readonly (readonly [name: string, text: string])[];

/** The tool of this name, or the only near one if it is read-only. Throws a failure that says which there are. */
export function findTool(tools: readonly ListedTool[], name: string, onCorrection: OnCorrection): ListedTool {
  const found = tools.find((tool) => tool.name === name);
  if (found) return found;
  const names = tools.map((tool) => tool.name);
  const near = nearOf(name, names);
  const meant = tools.find((tool) => tool.name === near.only);
  if (meant && onlyReads(meant)) {
    onCorrection(`There is no tool "${name}"; "${meant.name}" is called, which only reads`);
    return meant;
  }
  if (near.all.length > 0) throw new Failure(`There is no tool "${name}"${didYouMean(near)}`, 2);
  throw new Failure(`There is no tool "${name}"; ${whichThereAre(names)}`, 2);
}

/** A refusal that names more of them is not read to its end. */
const MOST_NAMED = 20;

/** Which names there are, for a refusal. */
export function whichThereAre(names: readonly string[]): string {
  if (names.length === 0) return "the server has none";
  const rest = names.length > MOST_NAMED ? `, and ${names.length - MOST_NAMED} more` : "";
  return `there are ${names.slice(0, MOST_NAMED).join(", ")}${rest}`;
}

/** Whether a tool is marked as one that changes nothing, so that a guess can do no harm. */
const onlyReads = ({ annotations }: ListedTool): boolean => annotations?.readOnlyHint === true;

/** Reads `name=value` words by the schema of a tool. Throws a failure that says what the tool takes. */
export function readArguments(
  tool: ListedTool,
  pairs: Pairs,
  onCorrection: OnCorrection,
): Readonly<Record<string, Json>> {
  const { schema, properties } = inputOf(tool);
  const given = new Set(pairs.map(([name]) => name));
  const read = pairs.map(([typed, text]): [string, Json] => {
    const isKnown = Object.hasOwn(properties, typed);
    if (!isKnown && takesMore(schema)) return [typed, readValue(text, []) ?? text];
    const name = isKnown ? typed : meantArgument(tool, typed, given, onCorrection);
    given.add(name);
    const kinds = kindsOf(properties[name], schema);
    const value = readValue(text, kinds);
    if (value === undefined) throw new Failure(`${name} must be ${describeKinds(kinds)}, not "${text}"`, 2);
    return [name, meantChoice(tool, name, value, onCorrection)];
  });
  return Object.fromEntries(read);
}

/** What a tool takes, by name; a server may have left it out. */
export function inputOf({ inputSchema }: ListedTool): { readonly schema: JsonObject; readonly properties: JsonObject } {
  const schema = isObject(inputSchema) ? inputSchema : {};
  return { schema, properties: isObject(schema["properties"]) ? schema["properties"] : {} };
}

/** The names of what a tool cannot do without. */
export function requiredNames(tool: ListedTool): readonly string[] {
  const { schema, properties } = inputOf(tool);
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.keys(properties).filter((name) => required.includes(name));
}

/** The names of what a tool takes, with a star where it is required. */
export function argumentNames(tool: ListedTool): string[] {
  const required = requiredNames(tool);
  return Object.keys(inputOf(tool).properties).map((name) => (required.includes(name) ? `${name}*` : name));
}

/** By JSON Schema any name will do unless it is forbidden; servers that list their arguments seldom mean that. */
function takesMore(schema: JsonObject): boolean {
  const { additionalProperties: more } = schema;
  if (more === true || isObject(more)) return true;
  return ["patternProperties", "$ref", "anyOf", "oneOf", "allOf"].some((name) => name in schema);
}

/** The argument that a mistyped name stands for, where a guess does no harm. */
function meantArgument(tool: ListedTool, name: string, given: ReadonlySet<string>, onCorrection: OnCorrection): string {
  const left = Object.keys(inputOf(tool).properties).filter((known) => !given.has(known));
  const near = nearOf(name, left);
  if (near.only !== undefined && onlyReads(tool)) {
    onCorrection(`"${name}" is no argument of "${tool.name}"; it is taken for ${near.only}`);
    return near.only;
  }
  const names = argumentNames(tool);
  const known = names.length === 0 ? "it takes none" : `it takes ${names.join(", ")} (* = required)`;
  const meant = didYouMean(near);
  const next = meant === "" ? `; ${known}` : `${meant} I${known.slice(1)}`;
  throw new Failure(`"${name}" is no argument of "${tool.name}"${next}`, 2);
}

/** The choice that a mistyped one stands for, where a guess does no harm. */
function meantChoice(tool: ListedTool, name: string, value: Json, onCorrection: OnCorrection): Json {
  const { schema, properties } = inputOf(tool);
  const { enum: choices } = resolve(properties[name], schema);
  if (!Array.isArray(choices) || typeof value !== "string" || choices.includes(value)) return value;
  const near = nearOf(
    value,
    choices.filter((choice) => typeof choice === "string"),
  );
  if (near.only !== undefined && onlyReads(tool)) {
    onCorrection(`${name}=${value} cannot be chosen; it is taken for ${near.only}`);
    return near.only;
  }
  const meant = didYouMean(near) || `; there are ${choices.map(showValue).join(", ")}`;
  throw new Failure(`${name} cannot be "${value}"${meant}`, 2);
}
