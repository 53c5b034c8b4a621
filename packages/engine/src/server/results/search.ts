import { monotonic } from "../clock.js";
import { type Body, characterStart, nextTurn } from "./body.js";
import type { Finder, Match } from "./pattern.js";

const WINDOW_BYTES = 64 * 1024;
/** What two pieces of one long line share, so that nothing is missed where they meet. */
const OVERLAP_BYTES = 4096;
/** Lines up to here are shown whole. */
const SHORT_LINE = 400;
const AROUND = 150;
const SEARCH_MS = 5000;
/** How long a search goes on before others have their turn. */
const TURN_MS = 5;

/** What a search gave, and the byte at which it goes on; undefined where nothing is left. */
export interface Hits {
  readonly lines: readonly string[];
  readonly next: number | undefined;
  /** The time was up before the end. */
  readonly isOutOfTime: boolean;
}

/** Where a search begins and where it ends. */
export interface Field {
  readonly from: number;
  /** The byte after it. */
  readonly to: number;
  /** The number of the line in which it begins. */
  readonly line: number;
}

/** Bounds of what a search may give. */
export interface Bounds {
  readonly most: number;
  readonly budgetBytes: number;
  readonly signal: AbortSignal;
}

/** Looks through a text window by window, and shows each line, or the neighbourhood in a long one, where something was found. */
export async function searchText(body: Body, find: Finder, field: Field, bounds: Bounds): Promise<Hits> {
  const lines: string[] = [];
  const startedAt = monotonic();
  let room = bounds.budgetBytes;
  let { from: at, line } = field;
  let seenUpTo = at;
  let turnEndsAt = 0;
  for (let isFirst = true; at < field.to; isFirst = false) {
    if (monotonic() > turnEndsAt) {
      await nextTurn();
      turnEndsAt = monotonic() + TURN_MS;
    }
    bounds.signal.throwIfAborted();
    if (!isFirst && monotonic() - startedAt > SEARCH_MS) return { lines, next: at, isOutOfTime: true };
    const bytes = await body.read(at, Math.min(WINDOW_BYTES, field.to - at));
    const isLast = at + bytes.length >= field.to;
    const { end, next } = isLast ? { end: bytes.length, next: bytes.length } : windowEnd(bytes);
    const text = bytes.toString("utf8", 0, end);
    const skipped = seenUpTo > at ? bytes.toString("utf8", 0, seenUpTo - at).length : 0;
    for (const hit of hitsIn(text, find(text), skipped)) {
      const shown = show(text, hit, line, at);
      const cost = Buffer.byteLength(shown.text) + 1;
      if (lines.length >= bounds.most || (cost > room && lines.length > 0))
        return { lines, next: shown.at, isOutOfTime: false };
      lines.push(shown.text);
      room -= cost;
      seenUpTo = at + Buffer.byteLength(text.slice(0, hit.resume));
    }
    line += countEnds(bytes, next);
    at += next;
  }
  return { lines, next: undefined, isOutOfTime: false };
}

/** A window ends with its last line; a line that is longer goes on in the next one. */
function windowEnd(bytes: Buffer): { end: number; next: number } {
  const lineEnd = bytes.lastIndexOf(10);
  if (lineEnd !== -1) return { end: lineEnd + 1, next: lineEnd + 1 };
  const end = characterStart(bytes, bytes.length - 1);
  return { end, next: characterStart(bytes, Math.max(1, end - OVERLAP_BYTES)) };
}

interface Hit extends Match {
  readonly lineStart: number;
  readonly lineEnd: number;
  /** Where the next hit may begin. */
  readonly resume: number;
}

/** One hit for a short line, however much was found in it; in a long one a hit for each neighbourhood. */
function* hitsIn(text: string, matches: readonly Match[], from: number): Generator<Hit> {
  let resume = from;
  for (const match of matches) {
    // What is empty behind the last line is no line.
    if (match.at < resume || match.at >= text.length) continue;
    const lineStart = match.at === 0 ? 0 : text.lastIndexOf("\n", match.at - 1) + 1;
    const found = text.indexOf("\n", match.at);
    const lineEnd = found === -1 ? text.length : found;
    const isShort = lineEnd - lineStart <= SHORT_LINE;
    resume = isShort ? lineEnd + 1 : Math.min(lineEnd + 1, match.at + Math.max(match.length, 1) + AROUND);
    yield { ...match, lineStart, lineEnd, resume };
  }
}

function show(text: string, hit: Hit, line: number, base: number): { text: string; at: number } {
  const number = line + countIn(text, hit.lineStart);
  const byteOf = (index: number) => base + Buffer.byteLength(text.slice(0, index));
  if (hit.lineEnd - hit.lineStart <= SHORT_LINE)
    return { text: `${number}: ${text.slice(hit.lineStart, hit.lineEnd)}`, at: byteOf(hit.lineStart) };
  const at = byteOf(hit.at);
  const from = Math.max(hit.lineStart, hit.at - AROUND);
  const to = Math.min(hit.lineEnd, hit.at + Math.min(hit.length, SHORT_LINE) + AROUND);
  const piece = Buffer.from(text.slice(from, to)).toString();
  return {
    text: `${number} (byte ${at}): ${from > hit.lineStart ? "…" : ""}${piece}${to < hit.lineEnd ? "…" : ""}`,
    at,
  };
}

function countIn(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

function countEnds(bytes: Buffer, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at !== -1 && at < end; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}
