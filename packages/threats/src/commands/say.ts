import { type Paint, visibleLine, widthOf } from "@toolwright/kit/terminal";
import type { Bench } from "./deed.js";

/** What the tools say of each other and of their arguments, and what a person at a terminal says instead. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bthreats:\/\/index has them all\b/g, '"toolwright threats list" has them all'],
  [/\blook through threats:\/\/index\b/g, 'look through "toolwright threats list"'],
  [/\btmkb_get has all of it\b/g, '"toolwright threats get" has all of it'],
  [/\bShortened to fit token_budget\b/g, "Shortened"],
  [/\bcontext must be non-empty\b/g, "--context must not be empty"],
  [/\bGive the output of git diff, or give files\b/g, "Give the output of git diff, or name files"],
];

/** A message of the pack in the words of the command line. */
export const forPeople = (message: string): string =>
  WORDS.reduce((said, [pattern, words]) => said.replaceAll(pattern, words), message);

/** The colour of a severity. */
export function paintSeverity(paint: Paint, severity: string, text = severity): string {
  if (severity === "critical" || severity === "high") return paint.red(text);
  return severity === "medium" ? paint.yellow(text) : paint.faint(text);
}

/** JSON for programs. */
export const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

/** A text with every line moved to the right. */
export const indent = (text: string, by = "  "): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? "" : by + line))
    .join("\n");

/** How wide the words before a text are. */
const LABEL = 8;

/** A text behind a faint word; on a terminal its lines stay in their column. */
export function labelled({ paint, width }: Pick<Bench, "paint" | "width">, label: string, text: string): string {
  const lines = wrap(visibleLine(text), width - LABEL - 2);
  return indent(`${paint.faint(label)}${" ".repeat(LABEL - label.length)}${lines.join(`\n${" ".repeat(LABEL)}`)}`);
}

/** Below this a column is no longer read well, and the terminal may break it as it likes. */
const MIN_SCORE = 30;

function wrap(text: string, width: number): readonly string[] {
  if (width === Number.POSITIVE_INFINITY || width < MIN_SCORE) return [text];
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
