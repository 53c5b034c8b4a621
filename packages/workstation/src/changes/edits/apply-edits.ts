import { ToolError } from "@toolwright/engine";
import { type Difference, findLoose, type Line, type LoosePart, toLines } from "./find-loose.js";
import { nearestPart } from "./nearest-part.js";
import { reindent } from "./reindent.js";

/** One edit: replaces a text, or whole lines. */
export interface TextEdit {
  /** The text to replace. Without it, the lines are replaced. */
  readonly old_string?: string | undefined;
  readonly new_string: string;
  /** In how many places the text must be found; 1 by default. */
  readonly expected_count?: number | undefined;
  readonly replace_all?: boolean | undefined;
  /** The first line, from 1, as the lines were before all edits. With `old_string`: only these lines are searched. */
  readonly start_line?: number | undefined;
  /** The last line; `start_line` by default. One less than `start_line` inserts before it. */
  readonly end_line?: number | undefined;
}

/** A part that was replaced although it differs in white space from the text that was looked for. */
export interface LooseMatch {
  /** The number of the edit, from 1. */
  readonly edit: number;
  readonly line: number;
  readonly end_line: number;
  readonly differed: Difference;
  /** The text that was replaced. */
  readonly text: string;
}

/** The text after all edits. */
export interface EditedText {
  readonly text: string;
  readonly loose: readonly LooseMatch[];
}

interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** A part of the text that was replaced, in the positions before that, and the length of the new text. */
interface Replacement extends TextRange {
  readonly length: number;
}

type EditError = (message: string, code: string, details?: object) => ToolError;

const MAX_SHOWN = 500;
const MAX_LISTED = 20;

/** Applies all edits one after the other, or none: throws a `ToolError` that shows the nearest text if an edit does not match. */
export function applyEdits(displayPath: string, text: string, edits: readonly TextEdit[]): EditedText {
  const loose: LooseMatch[] = [];
  const replaced: Replacement[] = [];
  const originalLines = edits.some(({ start_line, end_line }) => (start_line ?? end_line) !== undefined)
    ? toLines(text)
    : [];
  let current = text;
  for (const [at, edit] of edits.entries()) {
    const fail: EditError = (message, code, details = {}) => {
      const which = edits.length === 1 ? "" : `edit ${at + 1} of ${edits.length}: `;
      const isWholeFile = edit.old_string === "";
      return new ToolError(`Cannot edit ${JSON.stringify(displayPath)}: ${which}${message} Nothing was changed.`, {
        code,
        details: { path: displayPath, edit: at + 1, ...details },
        ...(isWholeFile && { hint: { action: "write a whole file", tool: "fs_write_file" } }),
      });
    };
    const range = findRange(edit, originalLines, text, fail);
    const part = range && shiftRange(range, replaced);
    if (edit.old_string === undefined) {
      if (range === undefined || part === undefined)
        throw fail("it has neither `old_string` nor `start_line`.", "INVALID_ARGUMENT");
      if (replaced.some((each, index) => overlaps(range, each, replaced.slice(0, index))))
        throw fail("its lines overlap those of an earlier edit.", "INVALID_ARGUMENT");
      const lines = toWholeLines(current, part, edit.new_string);
      current = current.slice(0, part.from) + lines + current.slice(part.to);
      replaced.push({ ...part, length: lines.length });
      continue;
    }
    const found = findParts(current, edit.old_string, part, fail);
    const expected = edit.replace_all === true ? found.parts.length : (edit.expected_count ?? 1);
    if (found.parts.length !== expected)
      throw fail(describeCount(current, found.parts, expected), "CONFLICT", {
        lines: found.parts.slice(0, MAX_LISTED).map(({ from }) => lineAt(current, from)),
        got: found.parts.length,
      });
    const { differed } = found;
    if (differed !== undefined) loose.push(...found.parts.map((each) => toMatch(current, each, at + 1, differed)));
    current = replaceParts(current, found, edit, replaced);
  }
  return { text: current, loose };
}

/** The positions of the lines of an edit in the original text. */
function findRange(
  { start_line, end_line }: TextEdit,
  lines: readonly Line[],
  text: string,
  fail: EditError,
): TextRange | undefined {
  const start = start_line ?? end_line;
  if (start === undefined) return undefined;
  const end = end_line ?? start;
  const count = lines.length;
  if (start > count + 1 || end > count || end < start - 1)
    throw fail(
      `its lines are ${start} to ${end}, but the file has ${count} ${count === 1 ? "line" : "lines"}.`,
      "INVALID_ARGUMENT",
      { total_lines: count },
    );
  const from = lines[start - 1]?.from ?? text.length;
  return { from, to: end < start ? from : (lines[end]?.from ?? text.length) };
}

/** The position in the current text of a position in the original one. Inside of a replaced part, its start or end. */
function shift(position: number, replaced: readonly Replacement[], side: "from" | "to"): number {
  let at = position;
  for (const { from, to, length } of replaced) {
    if (at >= to && !(side === "to" && at === from)) at += length - (to - from);
    else if (at > from) at = side === "from" ? from : from + length;
  }
  return at;
}

/** The range in the current text of one in the original text. */
function shiftRange({ from, to }: TextRange, replaced: readonly Replacement[]): TextRange {
  const start = shift(from, replaced, "from");
  return { from: start, to: from === to ? start : shift(to, replaced, "to") };
}

/** Whether a range of the original text overlaps a part that was replaced after some others. */
function overlaps(range: TextRange, part: Replacement, earlier: readonly Replacement[]): boolean {
  const { from, to } = shiftRange(range, earlier);
  return from < part.to && to > part.from;
}

/** The new text as whole lines, with the line endings of the file. */
function toWholeLines(text: string, { from, to }: TextRange, fresh: string): string {
  const end = commonLineEnd(text) ?? "\n";
  const body = withLineEnds(fresh, end);
  if (body === "") return "";
  const before = from === text.length && from > 0 && !/[\r\n]$/.test(text) ? end : "";
  const isWithoutEnd = to === text.length && to > 0 && !/[\r\n]$/.test(text);
  const after = !isWithoutEnd && !/[\r\n]$/.test(body) ? end : "";
  return before + (isWithoutEnd ? body.replace(/(?:\r\n|\n|\r)$/, "") : body) + after;
}

/** The places of a text, or of one that differs from it in white space only. */
interface FoundParts {
  readonly parts: readonly LoosePart[];
  /** Undefined: they are exactly the text. */
  readonly differed?: Difference | undefined;
}

function findParts(text: string, wanted: string, part: TextRange | undefined, fail: EditError): FoundParts {
  if (wanted === "") throw fail("`old_string` is empty.", "INVALID_ARGUMENT");
  const { from: start, to: end } = part ?? { from: 0, to: text.length };
  const searched = part === undefined ? text : text.slice(start, end);
  const exact = findExact(searched, wanted);
  const found: FoundParts = exact.length > 0 ? { parts: exact } : (findLoose(searched, wanted) ?? { parts: [] });
  if (found.parts.length === 0) throw fail(describeNotFound(searched, wanted), "NOT_FOUND");
  return start === 0
    ? found
    : { ...found, parts: found.parts.map((each) => ({ ...each, from: each.from + start, to: each.to + start })) };
}

function findExact(text: string, wanted: string): readonly LoosePart[] {
  const parts: LoosePart[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length))
    parts.push({ from: at, to: at + wanted.length, lines: [] });
  return parts;
}

/** The new text gets the line endings of the file, and the indentation of what it replaces. */
function replaceParts(
  text: string,
  { parts, differed }: FoundParts,
  { old_string: old = "", new_string: fresh }: TextEdit,
  replaced: Replacement[],
): string {
  const end = commonLineEnd(text);
  let written = "";
  let from = 0;
  for (const part of parts) {
    const indented =
      differed === "indentation"
        ? reindent(
            fresh,
            old,
            part.lines.map((line) => line.text),
          )
        : fresh;
    const isLastLine = part.to === text.length && part.lines.at(-1)?.end === "";
    const body = isLastLine && /[\r\n]$/.test(old) ? indented.replace(/(?:\r\n|\n|\r)$/, "") : indented;
    const inserted = end === undefined ? body : withLineEnds(body, end);
    written += text.slice(from, part.from);
    replaced.push({ from: written.length, to: written.length + (part.to - part.from), length: inserted.length });
    written += inserted;
    from = part.to;
  }
  return written + text.slice(from);
}

function toMatch(text: string, { from, to }: LoosePart, edit: number, differed: Difference): LooseMatch {
  const found = text.slice(from, to);
  const line = lineAt(text, from);
  return { edit, line, end_line: line + lineAt(found.trimEnd(), found.length) - 1, differed, text: truncate(found) };
}

function describeCount(text: string, parts: readonly LoosePart[], expected: number): string {
  const lines = parts.slice(0, MAX_LISTED).map(({ from }) => lineAt(text, from));
  const more = parts.length > MAX_LISTED ? ` and ${parts.length - MAX_LISTED} more` : "";
  const times = parts.length === 1 ? "once" : `${parts.length} times`;
  return `\`old_string\` was found ${times}, in line ${lines.join(", ")}${more}, but expected_count is ${expected}. Include more of the text around it, or set the right count.`;
}

function describeNotFound(text: string, wanted: string): string {
  const near = nearestPart(text, wanted);
  if (near === undefined) return "`old_string` was not found. Read the file again.";
  return `\`old_string\` was not found. The nearest text is in line ${near.line}:\n${truncate(near.text)}\nCopy it exactly.`;
}

const truncate = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);

/** The number of the line of a position, from 1. */
function lineAt(text: string, at: number): number {
  return (text.slice(0, at).match(/\r\n|\n|\r/g)?.length ?? 0) + 1;
}

/** The most frequent line ending; undefined if the text has one line. */
function commonLineEnd(text: string): string | undefined {
  const counts = new Map<string, number>();
  for (const [end] of text.matchAll(/\r\n|\n|\r/g)) counts.set(end, (counts.get(end) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1])[0]?.[0];
}

const withLineEnds = (text: string, end: string): string => text.replaceAll(/\r\n|\n|\r/g, end);
