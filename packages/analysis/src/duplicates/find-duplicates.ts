import type { Call } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import { classOf, type TokenTable, unpackTokens } from "../facts/packed-tokens.js";
import type { ProjectFile } from "../project/project.js";
import { readProject } from "../project/read-project.js";
import { type Chosen, choose } from "./choose.js";
import { findRepeats, type Repeat } from "./repeats.js";
import { inTurns, STEPS, type Work } from "./work.js";

/** Which copies are wanted. */
export interface DuplicateWish {
  readonly path: string;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** The least that a copy must have; 5 lines and 50 tokens unless told. */
  readonly minLines?: number | undefined;
  readonly minTokens?: number | undefined;
}

/** Where a copy is. */
export interface CopyPlace {
  readonly path: string;
  readonly line: number;
  readonly end_line: number;
}

/** Pieces of code that are the same. */
export interface CopyGroup {
  /** In renamed copies names and literals differ; each name always stands for the same other one. */
  readonly kind: "exact" | "renamed";
  /** In a renamed group: how many copies are the same to the letter, if any are. */
  readonly exact_copies?: number;
  readonly tokens: number;
  /** Of the first copy. */
  readonly lines: number;
  readonly copies: readonly CopyPlace[];
}

/** The copies in a project, the most lines first. */
export interface Duplicates {
  readonly groups: readonly CopyGroup[];
  readonly files: number;
  /** Lines with code on them, without imports. */
  readonly lines: number;
  /** How many of them are in any copy. */
  readonly duplicated_lines: number;
  /** The share of duplicated lines in percent. */
  readonly percent: number;
  /** What was not looked at, and why. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** Set where there was too much to compare: how many tokens were not looked at. */
  readonly unread_tokens?: number;
}

type TokenFile = ProjectFile<"tokens">;

/** The tokens that are compared at most: they take some 30 bytes each. */
const MOST_TOKENS = 6_000_000;

/** How many different keywords and signs a renamed copy must have: a table of values has fewer. */
const LEAST_WORDS = 9;

/** Finds code that is in a project more than once. */
export async function findDuplicates(
  analysis: Analysis,
  call: Pick<Call, "signal" | "supports" | "roots" | "progress">,
  wish: DuplicateWish,
): Promise<Duplicates> {
  const { path, include, exclude } = wish;
  const project = await readProject(analysis, call, { path, include, exclude, wanted: ["tokens"] });
  call.signal.throwIfAborted();
  const found = await compareInTurns(project.files, wish, call.signal);
  return { ...found, skipped: project.skipped.map((each) => ({ path: each.path, reason: each.reason })) };
}

/** The least that a copy must have. */
type Least = Pick<DuplicateWish, "minLines" | "minTokens">;

/** Finds what is in some files more than once, a little at a time: others get their turn meanwhile. */
export const compareInTurns = (
  files: readonly TokenFile[],
  least: Least,
  signal: AbortSignal,
): Promise<Omit<Duplicates, "skipped">> => inTurns(compare(files, least), signal);

function* compare(
  all: readonly TokenFile[],
  { minLines = 5, minTokens = 50 }: Least,
): Work<Omit<Duplicates, "skipped">> {
  const { files, unread } = within(all);
  const table = yield* tableOf(files);
  const { codes, lines, starts } = table;
  const taken = new Uint8Array(codes.length);
  const linesAt = (start: number, length: number) =>
    (lines[start + length - 1] as number) - (lines[start] as number) + 1;
  const isLong = ({ length, starts: places }: Repeat) => places.some((start) => linesAt(start, length) >= minLines);
  const isWorth = (repeat: Repeat) => isLong(repeat) && wordsIn(codes, repeat) >= LEAST_WORDS;
  const blind = yield* withoutNames(codes);
  for (const [file, start] of starts.entries()) blind[start - 1] = edgeAfter(file);
  const choice = { codes, least: minTokens, trim: (repeat: Repeat) => fromLineStart(lines, repeat, minTokens) };
  const any = () => true;
  const renamed = yield* choose(yield* findRepeats(blind, minTokens, any), taken, { ...choice, isWorth });
  // What was left because it has few words, or breaks off where a name changes, may still be there twice to the letter.
  const exact = yield* choose(yield* findRepeats(codes, minTokens, (at) => taken[at] === 0), taken, {
    ...choice,
    isWorth: isLong,
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
  const [one, two] = [a.copies[0] as CopyPlace, b.copies[0] as CopyPlace];
  return one.path < two.path ? -1 : one.path > two.path ? 1 : one.line - two.line;
};

/** The files that fit into the table. */
function within(all: readonly TokenFile[]): { files: readonly TokenFile[]; unread: number } {
  let [room, unread] = [MOST_TOKENS, 0];
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
  /** Where each file begins; before it is an edge that is like nothing else. */
  readonly starts: Uint32Array;
}

/** Stands between files: no token has this number. */
const edgeAfter = (file: number): number => (((file + 2) << 2) | 1) >>> 0;

function* tableOf(files: readonly TokenFile[]): Work<FileTable> {
  const size = files.reduce((sum, { facts }) => sum + facts.tokens.count + 1, 0);
  const table = { codes: new Uint32Array(size), lines: new Uint32Array(size), starts: new Uint32Array(files.length) };
  let at = 0;
  for (const [index, { facts }] of files.entries()) {
    yield;
    table.codes[at++] = edgeAfter(index);
    table.starts[index] = at;
    unpackTokens(facts.tokens, table, at);
    at += facts.tokens.count;
  }
  return table;
}

/** The tokens with all names alike, and all literals of a kind. */
function* withoutNames(codes: Uint32Array): Work<Uint32Array> {
  const blind = new Uint32Array(codes.length);
  for (let at = 0; at < codes.length; at++) {
    if (at % STEPS === 0) yield;
    const code = codes[at] as number;
    blind[at] = classOf(code) === 0 ? code : classOf(code);
  }
  return blind;
}

/** Leaves out the end of a line that began with something else, such as a bracket, if enough is left. */
function fromLineStart(lines: Uint32Array, { length, starts }: Repeat, least: number): Repeat {
  const [first = 0] = starts;
  let cut = 0;
  while (cut <= length - least && lines[first + cut] === lines[first + cut - 1]) cut++;
  return cut > length - least
    ? { length, starts }
    : { length: length - cut, starts: starts.map((start) => start + cut) };
}

function wordsIn(codes: Uint32Array, { length, starts }: Repeat): number {
  const [start = 0] = starts;
  const words = new Set<number>();
  for (let at = start; at < start + length && words.size < LEAST_WORDS; at++) {
    const code = codes[at] as number;
    if (classOf(code) === 0) words.add(code);
  }
  return words.size;
}

function toGroup({ length, starts, isExact }: Chosen, files: readonly TokenFile[], table: FileTable): CopyGroup {
  const copies = starts.map((start): CopyPlace => {
    const line = table.lines[start] as number;
    const end_line = table.lines[start + length - 1] as number;
    return { path: (files[fileAt(table.starts, start)] as TokenFile).path, line, end_line };
  });
  const [first] = copies as [CopyPlace];
  const alike = isExact ? 0 : mostAlike(table.codes, length, starts);
  return {
    kind: isExact ? "exact" : "renamed",
    tokens: length,
    lines: first.end_line - first.line + 1,
    copies,
    ...(alike > 1 && { exact_copies: alike }),
  };
}

/** How many of the places are the same to the letter. */
function mostAlike({ buffer }: Uint32Array, length: number, starts: readonly number[]): number {
  const counts = new Map<string, number>();
  for (const start of starts) {
    const text = Buffer.from(buffer, start * 4, length * 4).toString("latin1");
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts.values()].reduce((most, count) => Math.max(most, count), 0);
}

/** The file in which a token is. */
function fileAt(starts: Uint32Array, token: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) <= token) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** How many lines have code on them, and how many of those are in a copy. */
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
