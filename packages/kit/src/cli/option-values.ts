import { nearest } from "../text/nearest.js";
import { UsageError } from "./errors.js";
import type { Given } from "./parse-options.js";

/** The whole number that was given to an option, within its bounds; undefined = none was. */
export function numberOf<Name extends string>(
  options: Given<Name>,
  name: Name,
  least: number,
  most = 1_000_000,
): number | undefined {
  const word = options[name]?.[0];
  if (word === undefined) return undefined;
  const value = /^\d{1,9}$/.test(word) ? Number(word) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${name} needs a whole number from ${least} to ${most}, not "${word}"`);
}

/** The word that was given to an option, which must be one of some; undefined = none was. */
export function choiceOf<Name extends string, Choice extends string>(
  options: Given<Name>,
  name: Name,
  choices: readonly Choice[],
): Choice | undefined {
  const word = options[name]?.[0];
  return word === undefined ? undefined : choose(word, name, choices);
}

/** The same of an option that can be repeated. */
export const choicesOf = <Name extends string, Choice extends string>(
  options: Given<Name>,
  name: Name,
  choices: readonly Choice[],
): readonly Choice[] | undefined => options[name]?.map((word) => choose(word, name, choices));

function choose<Choice extends string>(word: string, name: string, choices: readonly Choice[]): Choice {
  const found = choices.find((choice) => choice === word);
  if (found !== undefined) return found;
  const meant = nearest(word, choices);
  const hint = meant === undefined ? `it can be ${choices.join(", ")}` : `did you mean ${meant}?`;
  throw new UsageError(`${name} ${word} is unknown; ${hint}`);
}
