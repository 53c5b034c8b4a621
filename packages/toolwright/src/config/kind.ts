import path from "node:path";
import type { Json, JsonObject } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import { readAddress } from "./address.js";

/** What a setting may be: how each place writes it, and how it is checked. */
export interface Kind<Value extends Json = Json> {
  /** What it is, in the words of a refusal, such as `a folder`. */
  readonly name: string;
  readonly schema: JsonObject;
  /** An option on the command line needs no value; it is true then. */
  readonly isBare?: true;
  /** An option on the command line has no value; it is true. */
  readonly isSwitch?: true;
  readonly isList?: true;
  /** On the command line, too, one value may hold several, with commas between. */
  readonly isSplit?: true;
  /** In a file it is meant from the folder of that file. */
  readonly isPath?: true;
  /** A value that is a name and no path, of a kind that takes both. */
  isName?(text: string): boolean;
  /** The members of an object that are paths, or lists of them, meant in the same way. */
  readonly paths?: readonly string[];
  accepts(value: Json): value is Value;
  /** What a text of the environment or the command line stands for; the text itself where it stands for nothing. */
  parse(text: string): Json;
  /** What is wrong with a value, where there is more to say than what it must be. */
  refusal?(shown: string, value: Json): string;
}

const isText = (value: Json): value is string => typeof value === "string" && value !== "" && !value.includes("\0");

/** On or off. */
export const onOff: Kind<boolean> = {
  name: "true or false",
  schema: { type: "boolean" },
  isSwitch: true,
  accepts: (value) => typeof value === "boolean",
  parse: parseJson,
};

/** Any text; `name` says what it is. */
export const text = (name: string): Kind<string> => ({
  name,
  schema: { type: "string", minLength: 1 },
  accepts: isText,
  parse: (input) => input,
});

/** A text that is checked by whoever uses it, and never shown. */
export const secret: Kind<string> = {
  ...text("a text"),
  accepts: (value) => typeof value === "string",
};

/** A file, a folder or a socket; `name` says which. */
export const place = (name: string): Kind<string> => ({ ...text(name), isPath: true });

/** Several texts, of which each is what `name` says. The environment has them with commas between, or as a JSON array. */
export const list = (name: string): Kind<string[]> => ({
  name,
  schema: { type: "array", items: { type: "string", minLength: 1 } },
  isList: true,
  accepts: (value) => Array.isArray(value) && value.every(isText),
  parse: (input) => (input.startsWith("[") ? parseJson(input) : split(input)),
  refusal: (shown) => `must be a list, each of it ${name}, not ${shown}`,
});

/** Several texts that have no commas in them. */
export const wordList = (name: string): Kind<string[]> => ({ ...list(name), isSplit: true });

/** Several folders. */
export const folders: Kind<string[]> = { ...list("a folder"), isPath: true };

/** Names of members, or patterns for them. */
export const names: Kind<string[]> = {
  ...list("a name, or a pattern such as /^x-.*-id$/i"),
  accepts: (value): value is string[] => Array.isArray(value) && value.every((name) => isText(name) && canRead(name)),
};

/** Texts that must not be seen; short ones would stand everywhere. */
export const hidden: Kind<string[]> = {
  ...list("a text of four characters or more"),
  schema: { type: "array", items: { type: "string", minLength: 4 } },
  accepts: (value): value is string[] => Array.isArray(value) && value.every((one) => isText(one) && one.length >= 4),
};

function canRead(name: string): boolean {
  try {
    readNamePattern(name);
    return true;
  } catch {
    return false;
  }
}

/** One of some words. */
export const choice = <const Value extends string>(...words: readonly Value[]): Kind<Value> => ({
  name: words.join(", ").replace(/, ([^,]*)$/, " or $1"),
  schema: { enum: [...words] },
  accepts: (value): value is Value => words.includes(value as Value),
  parse: (input) => input,
});

/** Several words, each one of these. */
export const choices = <const Value extends string>(...words: readonly Value[]): Kind<Value[]> => ({
  ...wordList(`one of ${words.join(", ")}`),
  schema: { type: "array", items: { enum: [...words] } },
  accepts: (value): value is Value[] => Array.isArray(value) && value.every((one) => words.includes(one as Value)),
});

/** A number above 0. */
export const positive: Kind<number> = {
  name: "a positive number",
  schema: { type: "number", exclusiveMinimum: 0 },
  accepts: (value): value is number => typeof value === "number" && value > 0,
  parse: parseJson,
};

/** A whole number. */
export const integer: Kind<number> = {
  name: "a whole number",
  schema: { type: "integer" },
  accepts: (value): value is number => Number.isSafeInteger(value),
  parse: parseJson,
};

/** A number of things. */
export const count: Kind<number> = {
  name: "a whole number above 0",
  schema: { type: "integer", minimum: 1 },
  accepts: (value): value is number => Number.isInteger(value) && Number(value) > 0,
  parse: parseJson,
};

/** Where to listen: true = where it is usual, false = nowhere. */
export const address: Kind<boolean | number | string> = {
  name: "HOST:PORT",
  schema: { anyOf: [{ type: "boolean" }, { type: "integer", minimum: 0, maximum: 65_535 }, { type: "string" }] },
  isBare: true,
  accepts: (value): value is boolean | number | string => {
    if (typeof value === "number") return Number.isInteger(value) && readAddress(String(value)) !== undefined;
    return typeof value === "boolean" || (typeof value === "string" && readAddress(value) !== undefined);
  },
  parse: (input) => (input === "true" || input === "false" ? input === "true" : input),
  refusal: (shown) => `cannot be at ${shown}; give HOST:PORT, such as 8080, 0.0.0.0:8080 or [::1]:8080`,
};

/** A pack: off, on, or on with settings of its own. */
export const packSettings: Kind<boolean | JsonObject> = {
  name: "true, false, or an object with the settings of the pack",
  // The value may be a secret of the pack.
  refusal: () => "must be true, false, or an object with the settings of the pack",
  schema: { anyOf: [{ type: "boolean" }, { type: "object" }] },
  accepts: (value): value is boolean | JsonObject => typeof value === "boolean" || isObject(value),
  parse: parseJson,
  paths: ["roots", "directory", "database"],
};

/** JSON, or the text itself if it is not JSON. */
export function parseJson(input: string): Json {
  try {
    return JSON.parse(input) as Json;
  } catch {
    return input;
  }
}

const split = (input: string): string[] =>
  input
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** A pattern where the text is written as one, `/…/i`, else the text. Throws `SyntaxError` for a pattern that is none. */
export function readNamePattern(name: string): string | RegExp {
  const [, source, flags] = /^\/(.+)\/([iu]*)$/.exec(name) ?? [];
  return source === undefined ? name : new RegExp(source, flags);
}

/** A value whose paths are meant from a folder, with whole paths: they mean the same wherever the server is started. */
export function fromFolder(value: Json, folder: string, kind: Pick<Kind, "isPath" | "isName" | "paths">): Json {
  const { isPath, paths = [] } = kind;
  if (typeof value === "string" && kind.isName?.(value)) return value;
  if (isPath) return resolve(folder, value);
  if (!isObject(value)) return value;
  const found = paths.flatMap((name) =>
    value[name] === undefined ? [] : [[name, resolve(folder, value[name])] as const],
  );
  return { ...value, ...Object.fromEntries(found) };
}

/** A pipe of Windows and what has an address, such as a database, lie in no folder. */
function resolve(folder: string, value: Json): Json {
  if (Array.isArray(value)) return value.map((each) => resolve(folder, each));
  return typeof value !== "string" || /^(?:\\\\|[a-z]{2,}:\/\/)/.test(value) ? value : path.resolve(folder, value);
}
