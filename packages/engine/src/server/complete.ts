import { isObject, type JsonObject } from "../jsonrpc/json.js";
import type { Call } from "./call.js";

/** What a completion gives: suggestions, best first; `total` where there are more than are worth sending. */
export type Suggestions =
  | readonly string[]
  | { readonly values: readonly string[]; readonly total?: number; readonly hasMore?: boolean };

/**
 * Suggests values for one argument: a list, or a function of what was typed so far and of the other arguments that are filled
 * in.
 */
export type Completer =
  | readonly string[]
  | ((typed: string, others: Readonly<Record<string, string>>, call: Call) => Suggestions | Promise<Suggestions>);

/** Completers by the name of the argument. */
export type Completers = Readonly<Record<string, Completer>>;

/** Says what is wrong with completers; undefined where nothing is. */
export function completersFault(completers: Completers | undefined, known: readonly string[]): string | undefined {
  for (const [name, completer] of Object.entries(completers ?? {})) {
    if (!known.includes(name))
      return `complete.${name} is for no argument of it; there are ${known.join(", ") || "none"}`;
    if (
      typeof completer !== "function" &&
      !(Array.isArray(completer) && completer.every((one) => typeof one === "string"))
    )
      return `complete.${name} must be a list of strings or a function`;
  }
  return undefined;
}

/** What a schema of arguments itself leaves to choose from. */
export function choicesOf(schema: JsonObject): Completers {
  const choices: Record<string, readonly string[]> = {};
  for (const [name, property] of Object.entries(isObject(schema["properties"]) ? schema["properties"] : {})) {
    if (!isObject(property)) continue;
    const { type, enum: values } = property;
    if (Array.isArray(values)) choices[name] = values.filter((value) => value !== null).map(String);
    else if (type === "boolean") choices[name] = ["true", "false"];
  }
  return choices;
}

/** The values of a list that fit what was typed: those that begin with it first. */
export function choose(values: readonly string[], typed: string): readonly string[] {
  const wanted = typed.toLowerCase();
  const fitting = values.filter((value) => value.toLowerCase().includes(wanted));
  const begins = (value: string): boolean => value.toLowerCase().startsWith(wanted);
  return [...fitting.filter(begins), ...fitting.filter((value) => !begins(value))];
}
