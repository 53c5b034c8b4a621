import { isObject, type JsonObject } from "../../jsonrpc/messages.js";
import type { Call } from "../call.js";
import * as check from "./checks.js";

/** What a completer returns: suggestions, best first; `total` and `hasMore` if there are more than it returned. */
export type Suggestions =
  | readonly string[]
  | { readonly values: readonly string[]; readonly total?: number; readonly hasMore?: boolean };

/**
 * Suggests values for one argument: a fixed list, or a function of the text typed so far and of the other arguments that are
 * already filled in.
 */
export type Completer =
  | readonly string[]
  | ((typed: string, others: Readonly<Record<string, string>>, call: Call) => Suggestions | Promise<Suggestions>);

/** Completers by argument name. */
export type Completers = Readonly<Record<string, Completer>>;

/** Describes what is wrong with completers for these arguments, or returns undefined. */
export function completersIssue(completers: Completers = {}, argumentNames: readonly string[]): string | undefined {
  for (const [name, completer] of Object.entries(completers)) {
    if (!argumentNames.includes(name))
      return `complete.${name} names an unknown argument; the arguments are ${argumentNames.join(", ") || "none"}`;
    if (typeof completer !== "function" && !check.isArrayOf(completer, check.isString))
      return `complete.${name} must be an array of strings or a function`;
  }
  return undefined;
}

/** Creates completers for the arguments whose schema allows a fixed set of values. */
export function enumCompleters(schema: JsonObject): Completers {
  const completers: Record<string, readonly string[]> = {};
  for (const [name, property] of Object.entries(isObject(schema["properties"]) ? schema["properties"] : {})) {
    if (!isObject(property)) continue;
    const { type, enum: values } = property;
    if (Array.isArray(values)) completers[name] = values.filter((value) => value !== null).map(String);
    else if (type === "boolean") completers[name] = ["true", "false"];
  }
  return completers;
}

/** The values that contain the typed text, those that start with it first. */
export function matchSuggestions(values: readonly string[], typed: string): readonly string[] {
  const query = typed.toLowerCase();
  const matching = values.filter((value) => value.toLowerCase().includes(query));
  const startsWithQuery = (value: string): boolean => value.toLowerCase().startsWith(query);
  return [...matching.filter(startsWithQuery), ...matching.filter((value) => !startsWithQuery(value))];
}
