import { UsageError } from "../usage-error.js";
import { type Given, type OptionKind, readWords } from "../words.js";

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
export function readThreatWords(
  deed: string,
  words: readonly string[],
  takes: readonly Option[],
): { readonly options: Options; readonly plain: readonly string[] } {
  const end = words.indexOf("--");
  const own = (end === -1 ? words : words.slice(0, end)).map((word) => SHORT[word] ?? word);
  const known = [...COMMON, ...takes];
  const stray = own.map((word) => word.replace(/=.*/s, "")).find((word) => isOption(word) && !known.includes(word));
  if (stray !== undefined) throw new UsageError(`threats ${deed} takes no ${stray}`);
  const kinds = Object.fromEntries(known.map((name) => [name, OPTIONS[name]])) as Record<Option, OptionKind>;
  const plain: string[] = [];
  const options = readWords<Option>(own, kinds, plain);
  return { options, plain: end === -1 ? plain : [...plain, ...words.slice(end + 1)] };
}

const isOption = (word: string): word is Option => Object.hasOwn(OPTIONS, word);
