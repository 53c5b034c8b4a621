import { UsageError } from "./errors.js";
import { type Given, type OptionKind, readWords } from "./parse-options.js";

/** The options of a command with several deeds. */
interface DeedOptions<Option extends string> {
  /** What they all are, by name. */
  readonly all: Readonly<Record<Option, OptionKind>>;
  /** Those of this deed. */
  readonly known: readonly Option[];
  /** What a short word stands for, in full. */
  readonly inFull: (word: string) => readonly string[];
}

/** Reads the words after a deed, such as "kb search"; behind `--` all are plain. Throws `UsageError`. */
export function readDeedWords<Option extends string>(
  deed: string,
  words: readonly string[],
  { all, known, inFull }: DeedOptions<Option>,
): { readonly options: Given<Option>; readonly plain: readonly string[] } {
  const isOption = (word: string): word is Option => Object.hasOwn(all, word);
  const end = words.indexOf("--");
  const own = (end === -1 ? words : words.slice(0, end)).flatMap(inFull);
  const stray = own.map((word) => word.replace(/=.*/s, "")).find((word) => isOption(word) && !known.includes(word));
  if (stray !== undefined) throw new UsageError(`${deed} takes no ${stray}`);
  const kinds = Object.fromEntries(known.map((name) => [name, all[name]])) as Record<Option, OptionKind>;
  const plain: string[] = [];
  const options = readWords<Option>(own, kinds, plain);
  return { options, plain: end === -1 ? plain : [...plain, ...words.slice(end + 1)] };
}
