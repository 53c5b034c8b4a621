import { type Given, type OptionKind, readDeedWords } from "@toolwright/kit/cli";

/** Every option that one of the deeds takes. */
const OPTIONS = {
  "--patterns": { value: "a folder", isList: true },
  "--format": { value: "text or json" },
  "--verbose": {},
  "--context": { value: "a text" },
  "--language": { value: "a language" },
  "--framework": { value: "a framework" },
  "--category": { value: "a family" },
  "--severity": { value: "a severity" },
  "--tier": { value: "A or B" },
  "--files": { value: "a path", isList: true },
  "--limit": { value: "a number" },
  "--all": {},
  "--diff": { value: "a file, or - for stdin" },
  "--base": { value: "a branch or commit" },
  "--fail-on": { value: "a severity" },
  "--quiet": {},
} as const satisfies Record<string, OptionKind>;

/** The name of an option. */
export type Option = keyof typeof OPTIONS;

/** What was given on the command line. */
export type Options = Given<Option>;

/** What all deeds take. */
const COMMON: readonly Option[] = ["--patterns", "--format", "--verbose"];

/** Options that are typed often. */
const SHORT: Readonly<Record<string, Option>> = {
  "-p": "--patterns",
  "-f": "--format",
  "-v": "--verbose",
  "-c": "--context",
  "-l": "--language",
  "-n": "--limit",
  "-q": "--quiet",
};

/** Reads the words after a deed; behind `--` all are plain. Throws `UsageError`. */
export const readThreatWords = (deed: string, words: readonly string[], takes: readonly Option[]) =>
  readDeedWords<Option>(`threats ${deed}`, words, {
    all: OPTIONS,
    known: [...COMMON, ...takes],
    inFull: (word) => [SHORT[word] ?? word],
  });
