import { TimeSlice } from "@toolwright/kit/time";
import type { PatternDiagnostic } from "../format/diagnostics.js";
import type { ThreatPattern } from "../format/pattern.js";
import { readPattern } from "../format/read-pattern.js";
import { createRanking } from "../ranking/ranking.js";
import type { Library } from "./library.js";
import { toListed } from "./listed-pattern.js";
import { findUnknownRelations } from "./read-folder.js";

/** A question of a pattern, and whether it does what the pattern promises. */
interface QueryResult {
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
  readonly diagnostics: readonly PatternDiagnostic[];
  readonly queries: readonly QueryResult[];
}

/** The ids that a question finds in a library, best first. */
type Finder = (query: string) => readonly string[];

/** Makes what finds patterns, with one more among them or instead of its namesake. */
export type CreateFinder = (extra: ThreatPattern | undefined) => Promise<Finder>;

const NEAR = 3;

/** Checks the text of one file against the format, the library, and its own questions. */
export async function validateText(
  text: string,
  file: string,
  library: Library,
  createFinder: CreateFinder,
): Promise<Validation> {
  const { pattern, diagnostics, locate } = await readPattern(text, file);
  if (pattern === undefined) return { files: 1, diagnostics, queries: [] };
  const known = new Set([...(await library.entries()).keys(), pattern.id]);
  const unknownRelations = findUnknownRelations([{ file, pattern, locate }], known);
  return {
    files: 1,
    diagnostics: [...diagnostics, ...unknownRelations],
    queries: runQueries(pattern, await createFinder(pattern)),
  };
}

/** Checks a pattern of the library; one that is built in has been checked when the program was built. */
export async function validateId(id: string, library: Library, createFinder: CreateFinder): Promise<Validation> {
  const { id: known, file } = await library.find(id);
  const pattern = await library.read(known);
  const diagnostics =
    file === undefined ? [] : (await library.diagnostics()).filter((diagnostic) => diagnostic.file === file);
  return { files: 1, diagnostics, queries: runQueries(pattern, await createFinder(undefined)) };
}

/** Checks all of the user's folders, or everything where there are none. */
export async function validateAll(library: Library, createFinder: CreateFinder): Promise<Validation> {
  const files = await library.userFiles();
  const entries = await library.list();
  const wanted = files === 0 ? entries : entries.filter(({ origin }) => origin === "user");
  const find = await createFinder(undefined);
  const patterns = await Promise.all(wanted.map(({ id }) => library.read(id)));
  const queries: QueryResult[] = [];
  const slice = new TimeSlice();
  for (const pattern of patterns) {
    if (slice.isOver) await slice.next();
    queries.push(...runQueries(pattern, find));
  }
  return {
    files: files === 0 ? entries.length : files,
    diagnostics: await library.diagnostics(),
    queries,
  };
}

function runQueries({ id, testing: { queries = {} } = {} }: ThreatPattern, find: Finder): readonly QueryResult[] {
  const ask =
    (expected: QueryResult["expected"]) =>
    (query: string): QueryResult => {
      const found = find(query);
      const first = found.slice(0, NEAR);
      const passed = expected === "found" ? first.includes(id) : !found.includes(id);
      return { id, query, expected, passed, first };
    };
  return [...(queries.finds ?? []).map(ask("found")), ...(queries.ignores ?? []).map(ask("ignored"))];
}

/** Asks the patterns of a library, as a query does. */
export const createFinderOf =
  (library: Library): CreateFinder =>
  async (extra) => {
    const entries = (await library.list()).filter(({ id }) => id !== extra?.id);
    const ranking = createRanking(extra === undefined ? entries : [...entries, toListed(extra)]);
    return (context) => ranking.rank({ context }).map(({ pattern }) => pattern.id);
  };
