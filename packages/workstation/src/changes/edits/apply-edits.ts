import { ToolError } from "@toolwright/engine";
import { type Difference, findLoose, type LoosePart } from "./find-loose.js";
import { lineAt, usualEnd, withEnds } from "./lines.js";
import { nearestPart } from "./nearest-part.js";
import { reindent } from "./reindent.js";

/** One edit: a text, what is to stand instead of it, and in how many places. */
export interface Edit {
  readonly old: string;
  readonly new: string;
  readonly expected_count: number;
}

/** A part that was replaced though it was not exactly what was looked for. */
export interface LooseMatch {
  /** The number of the edit, from 1. */
  readonly edit: number;
  readonly line: number;
  readonly end_line: number;
  readonly differed: Difference;
  /** What stood there. */
  readonly text: string;
}

/** The text with all edits made, one after the other. */
export interface Edited {
  readonly text: string;
  readonly loose: readonly LooseMatch[];
}

const LONGEST_SHOWN = 500;

/** Makes all edits or none: throws a `ToolError` that says what is in the text where an edit does not fit. */
export function applyEdits(shown: string, text: string, edits: readonly Edit[]): Edited {
  const loose: LooseMatch[] = [];
  let now = text;
  for (const [at, edit] of edits.entries()) {
    const fault = (words: string, code: string, details = {}): ToolError => {
      const which = edits.length === 1 ? "" : `edit ${at + 1} of ${edits.length}: `;
      return new ToolError(`Cannot edit ${JSON.stringify(shown)}: ${which}${words} Nothing was changed.`, {
        code,
        details: { path: shown, edit: at + 1, ...details },
      });
    };
    if (edit.old === "") throw fault("`old` is empty. To write a whole file use fs_write_file.", "INVALID_ARGUMENT");
    const exact = findExact(now, edit.old);
    const found = exact.length > 0 ? undefined : findLoose(now, edit.old);
    const parts = found?.parts ?? exact;
    if (parts.length === 0) throw fault(notFoundWords(now, edit.old), "NOT_FOUND");
    if (parts.length !== edit.expected_count)
      throw fault(countWords(now, parts, edit), "CONFLICT", placesOf(now, parts));
    if (found !== undefined) loose.push(...parts.map((part) => toMatch(now, part, at + 1, found.differed)));
    now = replaceAll(now, parts, edit, found?.differed);
  }
  return { text: now, loose };
}

function findExact(text: string, wanted: string): readonly LoosePart[] {
  const parts: LoosePart[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length))
    parts.push({ from: at, to: at + wanted.length, lines: [] });
  return parts;
}

/** New text gets the line ends of the file, and the indentation of what it replaces. */
function replaceAll(
  text: string,
  parts: readonly LoosePart[],
  { old, new: fresh }: Edit,
  differed: Difference | undefined,
): string {
  const end = usualEnd(text);
  let written = "";
  let from = 0;
  for (const part of parts) {
    const found = part.lines.map((line) => line.text);
    const indented = differed === "indentation" ? reindent(fresh, old, found) : fresh;
    const isLastLine = part.to === text.length && part.lines.at(-1)?.end === "";
    const body = isLastLine && /[\r\n]$/.test(old) ? indented.replace(/(?:\r\n|\n|\r)$/, "") : indented;
    written += text.slice(from, part.from) + (end === undefined ? body : withEnds(body, end));
    from = part.to;
  }
  return written + text.slice(from);
}

function toMatch(text: string, { from, to }: LoosePart, edit: number, differed: Difference): LooseMatch {
  const words = text.slice(from, to);
  const line = lineAt(text, from);
  return { edit, line, end_line: line + lineAt(words.trimEnd(), words.length) - 1, differed, text: cut(words) };
}

const MOST_PLACES = 20;

const placesOf = (text: string, parts: readonly LoosePart[]): object => ({
  lines: parts.slice(0, MOST_PLACES).map(({ from }) => lineAt(text, from)),
  got: parts.length,
});

function countWords(text: string, parts: readonly LoosePart[], { expected_count: expected }: Edit): string {
  const lines = parts.slice(0, MOST_PLACES).map(({ from }) => lineAt(text, from));
  const more = parts.length > MOST_PLACES ? ` and ${parts.length - MOST_PLACES} more` : "";
  const times = parts.length === 1 ? "once" : `${parts.length} times`;
  return `\`old\` is there ${times}, in line ${lines.join(", ")}${more}, but expected_count is ${expected}. Give more of the text around it, or the right count.`;
}

function notFoundWords(text: string, wanted: string): string {
  const near = nearestPart(text, wanted);
  if (near === undefined) return "`old` is not in the file. Read it again.";
  return `\`old\` is not in the file. The nearest is in line ${near.line}:\n${cut(near.text)}\nCopy it exactly.`;
}

const cut = (text: string): string => (text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text);
