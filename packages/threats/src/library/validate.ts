import type { PatternFault } from "../format/fault.js";
import type { ThreatPattern } from "../format/pattern.js";
import { readPattern } from "../format/read-pattern.js";
import type { Library } from "./library.js";
import { findStrangers } from "./read-folder.js";

/** A question of a pattern, and whether it does what the pattern promises. */
interface ProvedQuery {
  readonly id: string;
  readonly query: string;
  readonly expected: "found" | "ignored";
  readonly passed: boolean;
  /** What the question finds first. */
  readonly first: readonly string[];
}

/** What a check of patterns came to. */
export interface Validation {
  readonly files: number;
  readonly faults: readonly PatternFault[];
  readonly queries: readonly ProvedQuery[];
}

/** The ids that a question finds in a library, best first. */
type Finder = (query: string) => readonly string[];

/** Makes what finds patterns, with one more among them or instead of its namesake. */
export type FinderMaker = (extra: ThreatPattern | undefined) => Promise<Finder>;

const NEAR = 3;

/** Checks the text of one file against the format, the library, and its own questions. */
export async function validateText(
  text: string,
  file: string,
  library: Library,
  makeFinder: FinderMaker,
): Promise<Validation> {
  const { pattern, faults, locate } = await readPattern(text, file);
  if (pattern === undefined) return { files: 1, faults, queries: [] };
  const known = new Set([...(await library.entries()).keys(), pattern.id]);
  const strangers = findStrangers([{ file, pattern, locate }], known);
  return { files: 1, faults: [...faults, ...strangers], queries: prove(pattern, await makeFinder(pattern)) };
}

/** Checks a pattern of the library; one that is built in has been checked when the program was built. */
export async function validateId(id: string, library: Library, makeFinder: FinderMaker): Promise<Validation> {
  const { id: known, file } = await library.find(id);
  const pattern = await library.read(known);
  const faults = file === undefined ? [] : (await library.faults()).filter((fault) => fault.file === file);
  return { files: 1, faults, queries: prove(pattern, await makeFinder(undefined)) };
}

/** Checks all of the user's folders, or everything where there are none. */
export async function validateAll(library: Library, makeFinder: FinderMaker): Promise<Validation> {
  const files = await library.userFiles();
  const entries = await library.list();
  const wanted = files === 0 ? entries : entries.filter(({ origin }) => origin === "user");
  const find = await makeFinder(undefined);
  const patterns = await Promise.all(wanted.map(({ id }) => library.read(id)));
  return {
    files: files === 0 ? entries.length : files,
    faults: await library.faults(),
    queries: patterns.flatMap((pattern) => prove(pattern, find)),
  };
}

function prove({ id, testing: { queries = {} } = {} }: ThreatPattern, find: Finder): readonly ProvedQuery[] {
  const ask =
    (expected: ProvedQuery["expected"]) =>
    (query: string): ProvedQuery => {
      const found = find(query);
      const first = found.slice(0, NEAR);
      const passed = expected === "found" ? first.includes(id) : !found.includes(id);
      return { id, query, expected, passed, first };
    };
  return [...(queries.finds ?? []).map(ask("found")), ...(queries.ignores ?? []).map(ask("ignored"))];
}
