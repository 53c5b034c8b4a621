import type { Json } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import { stringify } from "smol-toml";
import { endingOf } from "./format.js";
import { readStatements, type Statement } from "./toml-statements.js";

/** The statements that say something of what a path leads to. */
export const statementsOf = (text: string, path: readonly string[]): readonly Statement[] =>
  readStatements(text).filter((statement) => path.every((key, at) => statement.path[at] === key));

/** The text without what a path leads to. */
export function removeLines(text: string, path: readonly string[]): string {
  const found = statementsOf(text, path);
  const [first] = found;
  if (first === undefined) return text;
  const cleared = dropLines(text, found);
  const head = cleared.slice(0, first.start);
  // The empty line before a table belongs to it.
  const isApart = first.kind === "table" && /(?:^|\n)[ \t]*\r?\n$/.test(head);
  const kept = isApart ? head.replace(/[ \t]*\r?\n$/, "") : head;
  const tail = cleared.slice(first.start);
  // A file without a last newline stays one.
  return tail === "" && !text.endsWith("\n") ? kept.replace(/\r?\n$/, "") : kept + tail;
}

/** Takes statements out, and what stands between them: empty lines, and remarks on what goes. */
function dropLines(text: string, statements: readonly Statement[]): string {
  const others = readStatements(text).filter(({ start }) => !statements.some((statement) => statement.start === start));
  return statements
    .map(({ start, end }, at) => {
      const next = statements[at + 1]?.start ?? end;
      return { start, end: others.some((other) => other.start >= end && other.start < next) ? end : next };
    })
    .reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), text);
}

/** The text with lines behind a statement. */
export function insertAfter(text: string, { end }: Statement, lines: string): string {
  const head = text.slice(0, end);
  // A file without a last newline stays one.
  return head.endsWith("\n") ? head + lines + text.slice(end) : head + endingOf(text) + lines.trimEnd();
}

/** A pair as one line. */
export const writePair = (path: readonly string[], value: Json): string =>
  `${path.map(writeKey).join(".")} = ${writeValue(value)}`;

const writeKey = (key: string): string => stringify({ [key]: 0 }).replace(/ = 0\s*$/, "");

/** A value in one line. */
export function writeValue(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(writeValue).join(", ")}]`;
  if (!isObject(value)) return stringify({ a: value }).trimEnd().slice("a = ".length);
  const pairs = Object.entries(value).map(([key, each]) => writePair([key], each));
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

/** A value as a table of its own. */
export function writeTable(path: readonly string[], value: Json, ending: string): string {
  const nested = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return `${stringify(nested).trimEnd()}\n`.replaceAll(/^(\w+ = )\[ (.*) \]$/gm, "$1[$2]").replaceAll("\n", ending);
}
