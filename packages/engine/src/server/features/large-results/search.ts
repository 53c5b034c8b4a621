import { ToolError } from "../../../protocol/outcome.js";
import { countNewlines } from "./text-range.js";

const MAX_PATTERN_LENGTH = 1000;
/** How much of a line is shown before and after a match, and of the match itself. */
const CONTEXT_CHARS = 200;

/** The search arguments of the tool. */
export interface SearchQuery {
  readonly search: string;
  readonly ignore_case?: boolean;
}

/** Where a search starts, and when it ends. */
export interface SearchRange {
  /** The offset of the first byte. */
  readonly start: number;
  readonly maxMatches: number;
  /** The maximum size of all matches. */
  readonly budgetBytes: number;
}

/** The formatted matches of a search, and the offset at which to continue; undefined if it is complete. */
export interface SearchMatches {
  readonly lines: readonly string[];
  readonly nextOffset: number | undefined;
}

/** Searches a UTF-8 text. Returns each matching line, or the context of each match in a long line. Throws `ToolError`. */
export function searchText(bytes: Buffer, query: SearchQuery, range: SearchRange): SearchMatches {
  const text = bytes.toString("utf8", range.start);
  const pattern = compilePattern(query);
  // One more than is shown, to know whether there are more.
  const excerpts = findExcerpts(text, pattern, range.maxMatches + 1);
  const lines: string[] = [];
  let remainingBytes = range.budgetBytes;
  let index = 0;
  let offset = range.start;
  let line = countNewlines(bytes, 0, offset) + 1;
  for (const excerpt of excerpts) {
    const start = offset + Buffer.byteLength(text.slice(index, excerpt.index));
    line += countNewlines(bytes, offset, start);
    index = excerpt.index;
    offset = start;
    // The conversion replaces surrogates that are split.
    const shown = Buffer.from(excerpt.text).toString();
    const formatted = excerpt.isWholeLine ? `${line}: ${shown}` : `${line} (byte ${offset}): ${shown}`;
    remainingBytes -= Buffer.byteLength(formatted) + 1;
    const isFull = lines.length === range.maxMatches || (remainingBytes < 0 && lines.length > 0);
    if (isFull) return { lines, nextOffset: offset };
    lines.push(formatted);
  }
  return { lines, nextOffset: undefined };
}

const invalidSearch = (message: string): ToolError => new ToolError(message, { code: "INVALID_ARGUMENTS" });

/** A pattern for the literal text: the search takes linear time. */
function compilePattern({ search, ignore_case = false }: SearchQuery): RegExp {
  if (search === "") throw invalidSearch("search is empty: set it to the text to find.");
  if (search.length > MAX_PATTERN_LENGTH)
    throw invalidSearch(`search has ${search.length} characters; at most ${MAX_PATTERN_LENGTH} are allowed.`);
  return new RegExp(search.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), ignore_case ? "gi" : "g");
}

/** A match and what surrounds it in its line. */
interface Excerpt {
  readonly text: string;
  readonly isWholeLine: boolean;
  /** Where the line starts, or the match if only a part of the line is shown. */
  readonly index: number;
}

/** Finds the line of each match, or the part around it. Matches in the same excerpt are skipped. */
function findExcerpts(text: string, pattern: RegExp, limit: number): Excerpt[] {
  const excerpts: Excerpt[] = [];
  while (excerpts.length < limit) {
    const match = pattern.exec(text);
    if (match === null) break;
    const { index } = match;
    const before = text.slice(Math.max(0, index - CONTEXT_CHARS), index);
    const after = text.slice(index, index + Math.min(match[0].length, CONTEXT_CHARS) + CONTEXT_CHARS);
    const lineStart = before.lastIndexOf("\n") + 1;
    const newline = after.indexOf("\n");
    const isStartShown = lineStart > 0 || index <= CONTEXT_CHARS;
    const isEndShown = newline !== -1 || index + after.length === text.length;
    const shown = before.slice(lineStart) + (newline === -1 ? after : after.slice(0, newline));
    const start = index - before.length + lineStart;
    excerpts.push({
      text: `${isStartShown ? "" : "…"}${shown}${isEndShown ? "" : "…"}`,
      isWholeLine: isStartShown && isEndShown,
      index: isStartShown && isEndShown ? start : index,
    });
    pattern.lastIndex = start + shown.length + (isEndShown ? 1 : 0);
  }
  return excerpts;
}
