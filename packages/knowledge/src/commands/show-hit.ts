import {
  cut,
  type Paint,
  type Screen,
  visible,
  visibleLine,
  visibleName,
  WIDEST,
  widthOf,
  wrap,
} from "@toolwright/kit/terminal";
import type { Citation, Hit } from "../search/search-types.js";

const INDENT = "   ";

/** A search result: title, location and snippet. */
export function showHit(hit: Hit, rank: number, { paint, width }: Screen, hasCollection: boolean): string {
  const room = Math.min(width, WIDEST);
  const score = hit.score.toFixed(3);
  const trail = [hit.title, ...hit.headings.filter((heading) => heading !== hit.title)].map(visibleLine).join(" › ");
  const title = cut(trail, room - INDENT.length - score.length - 2, "words");
  const gap = " ".repeat(Math.max(2, room - INDENT.length - widthOf(title) - score.length));
  const collection = hasCollection ? paint.faint(`${hit.collection_id} `) : "";
  return [
    `${String(rank).padStart(2)} ${paint.bold(title)}${gap}${paint.green(score)}`,
    `${INDENT}${collection}${paint.cyan(locationOf(hit.citation))}  ${paint.faint(hit.chunk_id)}`,
    ...snippetLines(hit, room - INDENT.length, paint).map((line) => `${INDENT}${line}`),
  ].join("\n");
}

/** The location as editors and terminals open it: file:line. */
function locationOf({ source_path: file, source_url: url, line_start: line, page }: Citation): string {
  const source = visibleName(file ?? url ?? "");
  return page === undefined ? `${source}:${line}` : `${source}, page ${page}`;
}

// Private-use characters, which the visible text does not contain. They mark highlights and have no width.
const [ON, OFF] = ["\u{e000}", "\u{e001}"];
const MARKS = /[\u{e000}\u{e001}]/gu;

/** The snippet in lines that fit the width, with highlights. Code and tables keep their lines. */
function snippetLines({ snippet, highlights, chunk_type: type }: Hit, width: number, paint: Paint): string[] {
  const text = snippet.replaceAll(MARKS, "\u{fffd}");
  let marked = "";
  let at = 0;
  for (const { start, end } of highlights) {
    marked += `${text.slice(at, start)}${ON}${text.slice(start, end)}${OFF}`;
    at = end;
  }
  const safe = visible(marked + text.slice(at));
  const isVerbatim = type === "code" || type === "table";
  const lines = isVerbatim
    ? safe
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => shorten(line.trimEnd(), width))
    : paragraphs(safe).flatMap((part) =>
        part.isVerbatim ? [shorten(part.text, width)] : wrap(part.text, width, shownWidth),
      );
  return lines.map((line) => paintMarks(line, paint));
}

/** Joins the lines of prose; lines of lists, tables, headings and code stay separate. */
function paragraphs(text: string): { readonly text: string; readonly isVerbatim: boolean }[] {
  const found: { text: string; isVerbatim: boolean }[] = [];
  let isCode = false;
  let isOpen = false;
  for (const line of text.split("\n")) {
    const plain = line.replaceAll(MARKS, "");
    const isFence = /^\s*(?:```|~~~)/.test(plain);
    const isVerbatim = isCode || isFence || /^\s*(?:[|#>]|[*+-] |\d+\. )/.test(plain);
    if (isFence) isCode = !isCode;
    const last = found.at(-1);
    if (plain.trim() === "") isOpen = false;
    else if (!isVerbatim && isOpen && last !== undefined) last.text += ` ${line}`;
    else {
      found.push({ text: line.trimEnd(), isVerbatim });
      isOpen = !isVerbatim;
    }
  }
  return found;
}

const shownWidth = (text: string): number => widthOf(text.replaceAll(MARKS, ""));

/** Cuts a line of code at the width of the screen. */
function shorten(line: string, width: number): string {
  if (shownWidth(line) <= width) return line;
  let shown = "";
  for (const sign of line) {
    if (shownWidth(shown + sign) > width - 1)
      return `${shown}${shown.lastIndexOf(ON) > shown.lastIndexOf(OFF) ? OFF : ""}…`;
    shown += sign;
  }
  return shown;
}

const paintMarks = (line: string, paint: Paint): string =>
  line.replaceAll(/\u{e000}([^\u{e001}]*)\u{e001}?/gu, (_, words: string) => paint.yellow(words)).replaceAll(MARKS, "");
