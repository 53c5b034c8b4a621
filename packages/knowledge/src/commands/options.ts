import { type Given, type OptionKind, readDeedWords, UsageError } from "@toolwright/kit/cli";
import { CHUNK_TYPES } from "../chunks/passage.js";
import { DOCUMENT_KINDS } from "../documents/reading.js";

/** An option of `toolwright kb`, and what can stand behind it. */
interface KbOption extends OptionKind {
  readonly among?: readonly string[];
  /** The name of a collection stands behind it. */
  readonly isName?: true;
}

/** Every option that one of the deeds takes. */
export const OPTIONS = {
  "--collection": { value: "the name of a collection", isList: true, isName: true },
  "--version": { value: "the number of a version" },
  "--description": { value: "a text" },
  "--chunk-size": { value: "a number of tokens" },
  "--chunk-overlap": { value: "a number of tokens" },
  "--metadata": { value: "NAME=VALUE", isList: true },
  "--keep-missing": {},
  "--no-promote": {},
  "--no-embed": {},
  "--force": {},
  "--dry-run": {},
  "--limit": { value: "a number" },
  "--type": { value: "a kind of documents", isList: true, among: DOCUMENT_KINDS },
  "--passages": { value: "a kind of passages", isList: true, among: CHUNK_TYPES },
  "--since": { value: "a day such as 2026-01-31" },
  "--until": { value: "a day such as 2026-01-31" },
  "--min-score": { value: "a number" },
  "--mode": { value: "hybrid, words or vector", among: ["hybrid", "words", "vector"] },
  "--fusion": { value: "weights or rrf", among: ["weights", "rrf"] },
  "--no-expand": {},
  "--explain": {},
  "--lines": { value: "lines such as 10-24" },
  "--outline": {},
  "--format": {
    value: "a format",
    among: ["json", "apa", "mla", "chicago", "ieee", "harvard", "bibtex", "ris"],
  },
  "--questions": { value: "a file" },
  "--save": {},
  "--no-vectors": {},
  "--name": { value: "a name" },
  "--operation": { value: "search or answer", among: ["search", "answer"] },
  "--defaults": { value: "a JSON object" },
  "--yes": {},
  "--database": { value: "a file or an address" },
  "--json": {},
  "--quiet": {},
} as const satisfies Record<string, KbOption>;

/** The name of an option. */
export type Option = keyof typeof OPTIONS;

/** What was given on the command line. */
export type Options = Given<Option>;

/** What all deeds take. */
export const COMMON: readonly Option[] = ["--database", "--json", "--quiet"];

/** Options that are typed often. */
export const SHORT: Readonly<Record<string, Option>> = {
  "-c": "--collection",
  "-n": "--limit",
  "-q": "--quiet",
  "-y": "--yes",
};

/** Reads the words after a deed; behind `--` all are plain. Throws `UsageError`. */
export const readKbWords = (deed: string, words: readonly string[], takes: readonly Option[]) =>
  readDeedWords<Option>(`kb ${deed}`, words, {
    all: OPTIONS,
    known: [...COMMON, ...takes],
    inFull: (word) => [SHORT[word] ?? word],
  });

/** What `--metadata NAME=VALUE` has given; undefined = nothing. */
export function metadataOf(options: Options): Readonly<Record<string, string>> | undefined {
  const given = options["--metadata"]?.map((word): [string, string] => {
    const at = word.indexOf("=");
    if (at < 1) throw new UsageError(`--metadata needs NAME=VALUE, such as team=search, not "${word}"`);
    return [word.slice(0, at), word.slice(at + 1)];
  });
  return given && Object.fromEntries(given);
}
