import type { Json, JsonObject } from "@toolwright/engine";
import { describeKinds, kindsOf, readValue, showValue } from "../cli/values.js";
import { isObject } from "../json/index.js";

/** One field of a form that a server asks for. */
export interface Field {
  readonly name: string;
  readonly schema: JsonObject;
  readonly isRequired: boolean;
}

/** A choice, and its title. */
interface Choice {
  readonly value: Json;
  readonly title: string;
}

/** The result of parsing an answer: a value, nothing, or a problem. */
export type Typed = { readonly value: Json | undefined } | { readonly fault: string };

/** The fields of a form. */
export function fieldsOf({ properties, required }: JsonObject): Field[] {
  const names = Array.isArray(required) ? required : [];
  return Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    schema: isObject(schema) ? schema : {},
    isRequired: names.includes(name),
  }));
}

/** The lines above a field: its description and choices. */
export function describeField({ schema }: Field): string[] {
  const about = [schema["title"], schema["description"]].filter((words) => typeof words === "string").join(": ");
  const choices = choicesOf(schema).map(
    ({ value, title }, at) => `  ${at + 1}  ${showValue(value)}${title === showValue(value) ? "" : ` (${title})`}`,
  );
  return [...(about === "" ? [] : [about]), ...choices];
}

/** The prompt of a field. */
export function promptOf({ name, schema, isRequired }: Field): string {
  const kinds = kindsOf(schema, schema);
  const hint = hintOf(schema, kinds);
  const fallback = schema["default"] === undefined ? "" : ` [${showDefault(schema["default"])}]`;
  return `${name}${isRequired ? "*" : ""}${hint === "" ? "" : ` (${hint})`}${fallback}: `;
}

/** Parses an answer; an empty one is the default, or leaves the field out. */
export function readField({ name, schema, isRequired }: Field, text: string): Typed {
  const typed = text.trim();
  if (typed === "") {
    const fallback = schema["default"];
    if (fallback !== undefined || !isRequired) return { value: fallback };
    return { fault: `${name} is required` };
  }
  const kinds = kindsOf(schema, schema);
  const choices = choicesOf(schema);
  if (kinds.includes("array")) return readSeveral(schema, choices, typed);
  if (choices.length > 0) return choose(choices, typed);
  const value = kinds.includes("boolean") ? readYes(typed) : readValue(typed, kinds);
  if (value === undefined) return { fault: `It must be ${kinds.includes("boolean") ? YES : describeKinds(kinds)}` };
  return within(schema, value);
}

const YES = "yes or no";

function hintOf(schema: JsonObject, kinds: readonly string[]): string {
  if (kinds.includes("array")) return "several, separated by commas";
  if (choicesOf(schema).length > 0) return "";
  if (kinds.includes("boolean")) return YES;
  if (kinds.includes("integer") || kinds.includes("number")) return describeKinds(kinds);
  return typeof schema["format"] === "string" ? schema["format"] : "";
}

function showDefault(value: Json): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.map(showValue).join(", ") : showValue(value);
}

/** The choices of a field, in the forms of all revisions. */
function choicesOf(schema: JsonObject): Choice[] {
  const { enum: values, enumNames: titles, items } = schema;
  if (isObject(items)) return choicesOf(items);
  if (Array.isArray(values))
    return values.map((value, at) => ({ value, title: showValue((Array.isArray(titles) && titles[at]) || value) }));
  const parts = [schema["oneOf"], schema["anyOf"]].find(Array.isArray) ?? [];
  return parts.flatMap((part) => {
    if (!isObject(part) || part["const"] === undefined) return [];
    return [{ value: part["const"], title: showValue(part["title"] ?? part["const"]) }];
  });
}

/** Finds a choice by value, title or number, in this order. */
function choose(choices: readonly Choice[], typed: string): { readonly value: Json } | { readonly fault: string } {
  const word = typed.toLowerCase();
  const found =
    choices.find(({ value }) => showValue(value) === typed) ??
    choices.find(({ value, title }) => [showValue(value).toLowerCase(), title.toLowerCase()].includes(word)) ??
    choices[Number(typed) - 1];
  return found ? { value: found.value } : { fault: `"${typed}" cannot be chosen` };
}

function readSeveral(schema: JsonObject, choices: readonly Choice[], typed: string): Typed {
  const whole = typed.startsWith("[") && choices.length === 0 ? readValue(typed, ["array"]) : undefined;
  if (Array.isArray(whole)) return within(schema, whole);
  const words = typed.split(",").flatMap((word) => (word.trim() === "" ? [] : [word.trim()]));
  const kinds = kindsOf(schema["items"], schema);
  const chosen = words.map((word) => (choices.length > 0 ? choose(choices, word) : readItem(word, kinds)));
  const value: Json[] = [];
  for (const one of chosen) {
    if ("fault" in one) return one;
    value.push(one.value);
  }
  return within(schema, value);
}

function within(schema: JsonObject, value: Json): Typed {
  const fault = boundsFault(schema, value);
  return fault === undefined ? { value } : { fault };
}

function readItem(word: string, kinds: readonly string[]): { readonly value: Json } | { readonly fault: string } {
  const value = readValue(word, kinds);
  return value === undefined ? { fault: `Each must be ${describeKinds(kinds)}` } : { value };
}

function readYes(typed: string): boolean | undefined {
  if (/^(?:y|yes|true)$/i.test(typed)) return true;
  return /^(?:n|no|false)$/i.test(typed) ? false : undefined;
}

/** Checks the bounds that a form may set; the server validates everything else. */
function boundsFault(schema: JsonObject, value: Json): string | undefined {
  const [size, kind, unit] =
    typeof value === "number"
      ? [value, ["minimum", "maximum"], ""]
      : typeof value === "string"
        ? [Array.from(value).length, ["minLength", "maxLength"], " characters"]
        : [Array.isArray(value) ? value.length : 0, ["minItems", "maxItems"], " items"];
  const [least, most] = kind.map((bound) => schema[bound]);
  if (typeof least === "number" && size < least) return `It must be at least ${least}${unit}`;
  return typeof most === "number" && size > most ? `It must be at most ${most}${unit}` : undefined;
}
