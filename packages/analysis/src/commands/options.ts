import { type Given, type OptionKind, UsageError } from "@toolwright/kit/cli";

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

/** The number from 0 to 100 that was given to an option; undefined = none was. */
export function percentOf(options: Options, name: Option): number | undefined {
  const word = options[name]?.[0];
  if (word === undefined) return undefined;
  const value = /^\d{1,3}(?:\.\d{1,6})?$/.test(word) ? Number(word) : Number.NaN;
  if (value <= 100) return value;
  throw new UsageError(`${name} needs a number from 0 to 100, not "${word}"`);
}
