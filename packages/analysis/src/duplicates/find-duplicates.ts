import type { Analysis } from "../analysis.js";
import { classOf, type TokenTable, unpackTokens } from "../facts/tokens.js";
import type { AnalysisCall, ProjectFile } from "../project/project.js";
import { readProject } from "../project/read-project.js";
import { type ChosenRepeat, choose } from "./choose.js";
import { findRepeats, type Repeat, runInTurns, STEPS, type Work } from "./repeats.js";

/** Selects copies. */
export interface DuplicateOptions {
  readonly path: string;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** The minimum size of a copy; 5 lines and 50 tokens by default. */
  readonly minLines?: number | undefined;
  readonly minTokens?: number | undefined;
}

/** The location of a copy. */
export interface CopyLocation {
  readonly path: string;
  readonly line: number;
  readonly end_line: number;
}

/** Copies of each other. */
export interface CopyGroup {
  /** In renamed copies identifiers and literals differ; each identifier always stands for the same other one. */
  readonly kind: "exact" | "renamed";
  /** The number of identical copies in a renamed group. */
  readonly exact_copies?: number;
  readonly tokens: number;
  /** Of the first copy. */
  readonly lines: number;
  readonly copies: readonly CopyLocation[];
}

/** The copies in a project, largest first. */
export interface Duplicates {
  readonly groups: readonly CopyGroup[];
  readonly files: number;
  /** Lines with code, without imports. */
  readonly lines: number;
  /** How many of them are in a copy. */
  readonly duplicated_lines: number;
  /** The percentage of duplicated lines. */
  readonly percent: number;
  /** Files that were not read, or only partly. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** The number of tokens that were not compared because of the limit. */
  readonly unread_tokens?: number;
}

type TokenFile = ProjectFile<"tokens">;

/** The limit of tokens; each takes about 30 bytes. */
const MAX_TOKENS = 6_000_000;

/** How many different keywords and operators a renamed copy must have. A table of values has fewer. */
const MIN_KEYWORDS = 9;

/** Finds duplicated code in a project. */
export async function findDuplicates(
  analysis: Analysis,
  call: AnalysisCall,
  options: DuplicateOptions,
): Promise<Duplicates> {
  const { path, include, exclude } = options;
  const project = await readProject(analysis, call, { path, include, exclude, wanted: ["tokens"] });
  call.signal.throwIfAborted();
  const found = await compareFiles(project.files, options, call.signal);
  return { ...found, skipped: project.skipped.map((each) => ({ path: each.path, reason: each.reason })) };
}

/** The minimum size of a copy. */
type MinimumSize = Pick<DuplicateOptions, "minLines" | "minTokens">;

/** Finds duplicated code in files, in short turns that do not block the server. */
export const compareFiles = (
  files: readonly TokenFile[],
  minimum: MinimumSize,
  signal: AbortSignal,
): Promise<Omit<Duplicates, "skipped">> => runInTurns(compare(files, minimum), signal);

function* compare(
  all: readonly TokenFile[],
  { minLines = 5, minTokens = 50 }: MinimumSize,
): Work<Omit<Duplicates, "skipped">> {
  const { files, unread } = within(all);
  const table = yield* tableOf(files);
  const { codes, lines, starts } = table;
  const taken = new Uint8Array(codes.length);
  const linesAt = (start: number, length: number) =>
    (lines[start + length - 1] as number) - (lines[start] as number) + 1;
  const isLong = ({ length, starts: places }: Repeat) => places.some((start) => linesAt(start, length) >= minLines);
  const isRelevant = (repeat: Repeat) => isLong(repeat) && keywordsIn(codes, repeat) >= MIN_KEYWORDS;
  const normalized = yield* normalize(codes);
  for (const [file, start] of starts.entries()) normalized[start - 1] = separatorAfter(file);
  const choice = { codes, least: minTokens, trim: (repeat: Repeat) => fromLineStart(lines, repeat, minTokens) };
  const any = () => true;
  const renamed = yield* choose(yield* findRepeats(normalized, minTokens, any), taken, { ...choice, isRelevant });
  // Code with few keywords, or that ends where an identifier changes, can still have identical copies.
  const exact = yield* choose(yield* findRepeats(codes, minTokens, (at) => taken[at] === 0), taken, {
    ...choice,
    isRelevant: isLong,
  });
  const groups = [...renamed, ...exact].map((chosen) => toGroup(chosen, files, table));
  groups.sort((a, b) => b.lines * b.copies.length - a.lines * a.copies.length || compareGroups(a, b));
  const counted = yield* countLines(table, taken);
  return {
    groups,
    files: files.length,
    ...counted,
    percent: counted.lines === 0 ? 0 : Math.round((counted.duplicated_lines / counted.lines) * 10_000) / 100,
    ...(unread > 0 && { unread_tokens: unread }),
  };
}

const compareGroups = (a: CopyGroup, b: CopyGroup): number => {
  const [one, two] = [a.copies[0] as CopyLocation, b.copies[0] as CopyLocation];
  return one.path < two.path ? -1 : one.path > two.path ? 1 : one.line - two.line;
};

/** The files that fit into the limit. */
function within(all: readonly TokenFile[]): { files: readonly TokenFile[]; unread: number } {
  let [room, unread] = [MAX_TOKENS, 0];
  const files = all.filter(({ facts }) => {
    const { count } = facts.tokens;
    const isIn = count < room;
    if (isIn) room -= count + 1;
    else unread += count;
    return isIn && count > 0;
  });
  return { files, unread };
}

interface FileTable extends TokenTable {
  /** The start of each file; before it is a separator that equals nothing else. */
  readonly starts: Uint32Array;
}

/** A separator between files, which no token equals. */
const separatorAfter = (file: number): number => (((file + 2) << 2) | 1) >>> 0;

function* tableOf(files: readonly TokenFile[]): Work<FileTable> {
  const size = files.reduce((sum, { facts }) => sum + facts.tokens.count + 1, 0);
  const table = { codes: new Uint32Array(size), lines: new Uint32Array(size), starts: new Uint32Array(files.length) };
  let at = 0;
  for (const [index, { facts }] of files.entries()) {
    yield;
    table.codes[at++] = separatorAfter(index);
    table.starts[index] = at;
    unpackTokens(facts.tokens, table, at);
    at += facts.tokens.count;
  }
  return table;
}

/** The tokens with all identifiers equal, and all literals of a kind. */
function* normalize(codes: Uint32Array): Work<Uint32Array> {
  const normalized = new Uint32Array(codes.length);
  for (let at = 0; at < codes.length; at++) {
    if (at % STEPS === 0) yield;
    const code = codes[at] as number;
    normalized[at] = classOf(code) === 0 ? code : classOf(code);
  }
  return normalized;
}

/** Removes the rest of a line that began before the copy, such as a bracket, if enough is left. */
function fromLineStart(lines: Uint32Array, { length, starts }: Repeat, least: number): Repeat {
  const [first = 0] = starts;
  let cut = 0;
  while (cut <= length - least && lines[first + cut] === lines[first + cut - 1]) cut++;
  return cut > length - least
    ? { length, starts }
    : { length: length - cut, starts: starts.map((start) => start + cut) };
}

function keywordsIn(codes: Uint32Array, { length, starts }: Repeat): number {
  const [start = 0] = starts;
  const words = new Set<number>();
  for (let at = start; at < start + length && words.size < MIN_KEYWORDS; at++) {
    const code = codes[at] as number;
    if (classOf(code) === 0) words.add(code);
  }
  return words.size;
}

function toGroup({ length, starts, isExact }: ChosenRepeat, files: readonly TokenFile[], table: FileTable): CopyGroup {
  const copies = starts.map((start): CopyLocation => {
    const line = table.lines[start] as number;
    const end_line = table.lines[start + length - 1] as number;
    return { path: (files[fileAt(table.starts, start)] as TokenFile).path, line, end_line };
  });
  const [first] = copies as [CopyLocation];
  const alike = isExact ? 0 : identicalCopies(table.codes, length, starts);
  return {
    kind: isExact ? "exact" : "renamed",
    tokens: length,
    lines: first.end_line - first.line + 1,
    copies,
    ...(alike > 1 && { exact_copies: alike }),
  };
}

/** The number of identical copies. */
function identicalCopies({ buffer }: Uint32Array, length: number, starts: readonly number[]): number {
  const counts = new Map<string, number>();
  for (const start of starts) {
    const text = Buffer.from(buffer, start * 4, length * 4).toString("latin1");
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts.values()].reduce((most, count) => Math.max(most, count), 0);
}

/** The file that contains a token. */
function fileAt(starts: Uint32Array, token: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) <= token) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The number of lines with code, and of those in a copy. */
function* countLines(
  { codes, lines, starts }: FileTable,
  taken: Uint8Array,
): Work<Pick<Duplicates, "lines" | "duplicated_lines">> {
  let [all, copied, last, lastCopied] = [0, 0, 0, 0];
  let next = 0;
  for (let at = 0; at < codes.length; at++) {
    if (at % STEPS === 0) yield;
    if (at + 1 === starts[next]) {
      [last, lastCopied] = [0, 0];
      next++;
      continue;
    }
    const line = lines[at] as number;
    if (line !== last) all++;
    if (taken[at] === 1 && line !== lastCopied) {
      copied++;
      lastCopied = line;
    }
    last = line;
  }
  return { lines: all, duplicated_lines: copied };
}
