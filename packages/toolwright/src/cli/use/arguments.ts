import type { Json, JsonObject } from "@toolwright/engine";
import type { ListedTool } from "@toolwright/engine/client";
import {
  describeKinds,
  Failure,
  kindsOf,
  kindWord,
  readValue,
  resolve,
  showValue,
  UsageError,
} from "@toolwright/kit/cli";
import { isObject } from "@toolwright/kit/json";
import { answersOf, type Report } from "@toolwright/kit/terminal";
import { didYouMean, nearestNames } from "./nearest-names.js";

/** Receives a note about a correction. */
export type OnCorrection = (note: string) => void;

/** Arguments in the form `name=value`. */
export type Pairs = readonly (readonly [name: string, text: string])[];

/** The tool of this name, or the only similar one if it is read-only. Throws a failure that lists the tools. */
export function findTool(tools: readonly ListedTool[], name: string, onCorrection: OnCorrection): ListedTool {
  const found = tools.find((tool) => tool.name === name);
  if (found) return found;
  const names = tools.map((tool) => tool.name);
  const near = nearestNames(name, names);
  const meant = tools.find((tool) => tool.name === near.only);
  if (meant && onlyReads(meant)) {
    onCorrection(`There is no tool "${name}"; calling "${meant.name}", which is read-only`);
    return meant;
  }
  if (near.all.length > 0) throw new Failure(`There is no tool "${name}"${didYouMean(near)}`, 2);
  throw new Failure(`There is no tool "${name}"; ${listNames(names)}`, 2);
}

const MAX_NAMES = 20;

/** The known names, for an error message. */
export function listNames(names: readonly string[]): string {
  if (names.length === 0) return "the server has none";
  const rest = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : "";
  return `the server has ${names.slice(0, MAX_NAMES).join(", ")}${rest}`;
}

/** Whether a tool is marked as read-only, so that a guess is harmless. */
const onlyReads = ({ annotations }: ListedTool): boolean => annotations?.readOnlyHint === true;

/** Parses `name=value` arguments by the schema of a tool. Throws a failure that lists the arguments of the tool. */
export function readArguments(
  tool: ListedTool,
  pairs: Pairs,
  onCorrection: OnCorrection,
): Readonly<Record<string, Json>> {
  const { schema, properties } = inputOf(tool);
  const given = new Set(pairs.map(([name]) => name));
  const read = pairs.map(([typed, text]): [string, Json] => {
    const isKnown = Object.hasOwn(properties, typed);
    if (!isKnown && allowsMore(schema)) return [typed, readValue(text, []) ?? text];
    const name = isKnown ? typed : meantArgument(tool, typed, given, onCorrection);
    given.add(name);
    const kinds = kindsOf(properties[name], schema);
    const value = readValue(text, kinds);
    if (value === undefined) throw new Failure(`${name} must be ${describeKinds(kinds)}, not "${text}"`, 2);
    return [name, meantChoice(tool, name, value, onCorrection)];
  });
  return Object.fromEntries(read);
}

/** The input schema of a tool, and its properties; some servers leave them out. */
export function inputOf({ inputSchema }: ListedTool): { readonly schema: JsonObject; readonly properties: JsonObject } {
  const schema = isObject(inputSchema) ? inputSchema : {};
  return { schema, properties: isObject(schema["properties"]) ? schema["properties"] : {} };
}

/** The names of the required arguments. */
export function requiredNames(tool: ListedTool): readonly string[] {
  const { schema, properties } = inputOf(tool);
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.keys(properties).filter((name) => required.includes(name));
}

/** The names of the arguments; required ones have a star. */
export function argumentNames(tool: ListedTool): string[] {
  const required = requiredNames(tool);
  return Object.keys(inputOf(tool).properties).map((name) => (required.includes(name) ? `${name}*` : name));
}

/** JSON Schema allows additional properties by default, but servers that list their arguments rarely mean that. */
function allowsMore(schema: JsonObject): boolean {
  const { additionalProperties: more } = schema;
  if (more === true || isObject(more)) return true;
  return ["patternProperties", "$ref", "anyOf", "oneOf", "allOf"].some((name) => name in schema);
}

/** The argument that a mistyped name means, if a guess is harmless. */
function meantArgument(tool: ListedTool, name: string, given: ReadonlySet<string>, onCorrection: OnCorrection): string {
  const left = Object.keys(inputOf(tool).properties).filter((known) => !given.has(known));
  const near = nearestNames(name, left);
  if (near.only !== undefined && onlyReads(tool)) {
    onCorrection(`"${tool.name}" has no argument "${name}"; using ${near.only}`);
    return near.only;
  }
  const names = argumentNames(tool);
  const known = names.length === 0 ? "it has none" : `it has ${names.join(", ")} (* = required)`;
  const meant = didYouMean(near);
  const next = meant === "" ? `; ${known}` : `${meant} I${known.slice(1)}`;
  throw new Failure(`"${tool.name}" has no argument "${name}"${next}`, 2);
}

/** The choice that a mistyped value means, if a guess is harmless. */
function meantChoice(tool: ListedTool, name: string, value: Json, onCorrection: OnCorrection): Json {
  const { schema, properties } = inputOf(tool);
  const { enum: choices } = resolve(properties[name], schema);
  if (!Array.isArray(choices) || typeof value !== "string" || choices.includes(value)) return value;
  const near = nearestNames(
    value,
    choices.filter((choice) => typeof choice === "string"),
  );
  if (near.only !== undefined && onlyReads(tool)) {
    onCorrection(`${name} cannot be "${value}"; using ${near.only}`);
    return near.only;
  }
  const meant = didYouMean(near) || `; it can be ${choices.map(showValue).join(", ")}`;
  throw new Failure(`${name} cannot be "${value}"${meant}`, 2);
}

/** Reads `name=value` words. Throws `UsageError`. */
export function readPairs(words: readonly string[]): Pairs {
  const pairs = words.map((word): [string, string] => {
    const at = word.indexOf("=");
    if (at < 1)
      throw new UsageError(
        `"${word}" is not an argument: write name=value${word.startsWith("{") ? ", or give JSON with --input" : ""}`,
      );
    return [word.slice(0, at), word.slice(at + 1)];
  });
  const twice = pairs.find(([name], at) => pairs.findIndex(([other]) => other === name) !== at);
  if (twice) throw new UsageError(`${twice[0]} is given twice; write a list as JSON: ${twice[0]}='["a","b"]'`);
  return pairs;
}

/** Whether missing arguments can be asked for. */
export interface Questioner {
  readonly report: Report;
  readonly signal: AbortSignal;
  readonly isInteractive: boolean;
}

/** Asks at the terminal for required arguments that are missing. Throws a failure that names all of them if they stay missing. */
export async function askMissing(tool: ListedTool, given: JsonObject, questioner: Questioner): Promise<JsonObject> {
  const { schema, properties } = inputOf(tool);
  const missing = requiredNames(tool).filter(
    // Some servers require arguments that have a default.
    (name) => given[name] === undefined && resolve(properties[name], schema)["default"] === undefined,
  );
  if (missing.length === 0) return given;
  const { report, signal, isInteractive } = questioner;
  const list = missing.map((name) => `${name} (${kindWord(properties[name], schema) || "anything"})`).join(", ");
  if (!isInteractive)
    throw new Failure(`"${tool.name}" needs ${list}. Add --help after its name to see all its arguments`, 2);
  const fields = Object.fromEntries(missing.map((name) => [name, resolve(properties[name], schema)]));
  const { onElicit } = answersOf(report, true);
  const { action, content } = await onElicit({
    name: "",
    message: `"${tool.name}" needs more arguments.`,
    requestedSchema: { type: "object", properties: fields, required: missing },
    signal,
  });
  signal.throwIfAborted();
  if (action !== "accept") throw new Failure(`"${tool.name}" was not called: it needs ${list}`, 2);
  return { ...given, ...content };
}
