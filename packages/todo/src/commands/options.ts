import { type Given, type OptionKind, readDeedWords, UsageError } from "@toolwright/kit/cli";

/** An option of `toolwright task`, and what can stand behind it. */
interface TaskOption extends OptionKind {
  readonly among?: readonly string[];
  /** The id of a task stands behind it. */
  readonly isId?: true;
}

/** Every option that one of the deeds takes. */
export const OPTIONS = {
  "--priority": { value: "a number from 1 to 5", among: ["1", "2", "3", "4", "5"] },
  "--parent": { value: "the id of a task", isId: true },
  "--after": { value: "the id of a task", isList: true, isId: true },
  "--context": { value: "a text" },
  "--description": { value: "a text" },
  "--done-file": { value: "a file" },
  "--done-command": { value: "a command" },
  "--status": { value: "a status", among: ["pending", "in_progress", "completed", "failed"] },
  "--ready": {},
  "--all": {},
  "--limit": { value: "a number" },
  "--depth": { value: "a number" },
  "--result": { value: "a text" },
  "--reason": { value: "a text" },
  "--by": { value: "a name" },
  "--anyone": {},
  "--cascade": {},
  "--yes": {},
  "--lease": { value: "a time such as 15m" },
  "--on-conflict": { value: "newer, replace or keep", among: ["newer", "replace", "keep"] },
  "--dry-run": {},
  "--database": { value: "a file or an address" },
  "--actor": { value: "a name" },
  "--json": {},
  "--quiet": {},
} as const satisfies Record<string, TaskOption>;

/** The name of an option. */
export type Option = keyof typeof OPTIONS;

/** What was given on the command line. */
export type Options = Given<Option>;

/** What all deeds take. */
export const COMMON: readonly Option[] = ["--database", "--actor", "--json"];

/** Options that are typed often. */
export const SHORT: Readonly<Record<string, Option>> = {
  "-p": "--priority",
  "-n": "--limit",
  "-q": "--quiet",
  "-y": "--yes",
};

/** Reads the words after a deed; behind `--` all are plain. Throws `UsageError`. */
export const readTaskWords = (deed: string, words: readonly string[], takes: readonly Option[]) =>
  readDeedWords<Option>(`task ${deed}`, words, { all: OPTIONS, known: [...COMMON, ...takes], inFull: inFull });

/** `-p 1` and `-p1` are short for `--priority 1`. */
function inFull(word: string): string[] {
  const [, name = "", value = ""] = /^(-[a-z])(\d*)$/.exec(word) ?? [];
  const full = SHORT[name];
  if (full === undefined) return [word];
  return value === "" ? [full] : [full, value];
}

const UNITS: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 3600 };

/** The seconds that were given to an option, such as `90`, `15m` or `2h`; undefined = none were. */
export function secondsOf(options: Options, name: Option, most: number): number | undefined {
  const word = options[name]?.[0];
  if (word === undefined) return undefined;
  const [, count = "", unit = ""] = /^(\d{1,6})([smh]?)$/.exec(word) ?? [];
  const value = count === "" ? Number.NaN : Number(count) * (UNITS[unit] ?? Number.NaN);
  if (value >= 1 && value <= most) return value;
  throw new UsageError(`${name} needs a time such as 90s, 15m or 2h, up to ${most / 3600}h, not "${word}"`);
}
