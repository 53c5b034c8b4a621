import { nearest } from "../../words/nearest.js";
import { UsageError } from "../usage-error.js";
import type { Given, OptionKind } from "../words.js";

/** Every option that one of the analyses takes. */
export const OPTIONS = {
  "--max-cyclomatic": { value: "a number" },
  "--max-cognitive": { value: "a number" },
  "--max-duplication": { value: "a percentage" },
  "--max-severe-notes": { value: "a number" },
  "--max-hotspot": { value: "a score" },
  "--toolchain": { value: "a toolchain" },
  "--top-files": { value: "a number" },
  "--explain": {},
  "--baseline": { value: "a branch, tag or commit" },
  "--all": {},
  "--fail": {},
  "--days": { value: "a number of days" },
  "--no-renames": {},
  "--exclude-author": { value: "a name or address", isList: true },
  "--all-commits": {},
  "--top": { value: "a number" },
  "--functions": { value: "a number" },
  "--html": { value: "a file" },
  "--kind": { value: "a kind", isList: true },
  "--severity": { value: "a severity" },
  "--min-lines": { value: "a number" },
  "--min-tokens": { value: "a number" },
  "--level": { value: "auto, file or folder" },
  "--focus": { value: "a file" },
  "--depth": { value: "a number" },
  "--external": {},
  "--max-nodes": { value: "a number" },
  "--show-complexity": {},
  "--max-tokens": { value: "a number" },
  "--include": { value: "a glob", isList: true },
  "--exclude": { value: "a glob", isList: true },
  "--format": { value: "a format" },
  "--json": {},
  "--output": { value: "a file" },
  "--quiet": {},
  "--no-cache": {},
} as const satisfies Record<string, OptionKind>;

/** The name of an option. */
export type Option = keyof typeof OPTIONS;

/** What was given on the command line. */
export type Options = Given<Option>;

/** How many days of history are looked at, at most. */
export const MOST_DAYS = 3650;

/** The whole number that was given to an option, within its bounds; undefined = none was. */
export function numberOf(options: Options, name: Option, least: number, most = 1_000_000): number | undefined {
  const word = options[name]?.[0];
  if (word === undefined) return undefined;
  const value = /^\d{1,9}$/.test(word) ? Number(word) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${name} needs a whole number from ${least} to ${most}, not "${word}"`);
}

/** The number from 0 to 100 that was given to an option; undefined = none was. */
export function percentOf(options: Options, name: Option): number | undefined {
  const word = options[name]?.[0];
  if (word === undefined) return undefined;
  const value = /^\d{1,3}(?:\.\d{1,6})?$/.test(word) ? Number(word) : Number.NaN;
  if (value <= 100) return value;
  throw new UsageError(`${name} needs a number from 0 to 100, not "${word}"`);
}

/** The word that was given to an option, which must be one of some; undefined = none was. */
export function choiceOf<Choice extends string>(
  options: Options,
  name: Option,
  choices: readonly Choice[],
): Choice | undefined {
  const word = options[name]?.[0];
  return word === undefined ? undefined : choose(word, name, choices);
}

/** The same of an option that can be repeated. */
export const choicesOf = <Choice extends string>(
  options: Options,
  name: Option,
  choices: readonly Choice[],
): readonly Choice[] | undefined => options[name]?.map((word) => choose(word, name, choices));

function choose<Choice extends string>(word: string, name: Option, choices: readonly Choice[]): Choice {
  const found = choices.find((choice) => choice === word);
  if (found !== undefined) return found;
  const meant = nearest(word, choices);
  const hint = meant === undefined ? `it can be ${choices.join(", ")}` : `did you mean ${meant}?`;
  throw new UsageError(`${name} ${word} is unknown; ${hint}`);
}
