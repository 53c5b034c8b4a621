import { isDeepStrictEqual } from "node:util";
import type { Json, JsonObject } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import { parse, stringify, TomlError } from "smol-toml";
import { CannotEdit, endingOf, type Format, SyntaxFault, valueAt } from "./format.js";

/** A table header or a key of a TOML text, with its lines. */
interface Statement {
  readonly kind: "table" | "pair";
  /** The whole path, including the table. */
  readonly path: readonly string[];
  readonly start: number;
  /** The offset after its last line. */
  readonly end: number;
  /** The range of the value. */
  readonly value: readonly [start: number, end: number];
}

/** A token of a value: a string, a comment or a single character. */
const PIECE = /"""[\s\S]*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[\s\S]/y;

/** Splits a valid text into statements. */
function readStatements(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  let table: readonly string[] = [];
  let at = 0;
  while (at < text.length) {
    const { end, equals, valueEnd } = readStatement(text, at);
    const line = text.slice(at, end);
    const head = /^\s*\[\[?([^\n]*?)\]\]?[ \t]*(?:#[^\n]*)?\r?\n?$/.exec(line);
    if (head && equals === undefined) {
      table = keysOf(head[1] ?? "");
      statements.push({ kind: "table", path: table, start: at, end, value: [end, end] });
    } else if (equals !== undefined) {
      const path = [...table, ...keysOf(text.slice(at, equals))];
      const valueStart = equals + (/^=[ \t]*/.exec(text.slice(equals, valueEnd))?.[0].length ?? 1);
      statements.push({ kind: "pair", path, start: at, end, value: [valueStart, valueEnd] });
    }
    at = end;
  }
  return statements;
}

interface StatementEnds {
  readonly end: number;
  readonly equals: number | undefined;
  /** The offset after the last character that is neither space nor comment. */
  readonly valueEnd: number;
}

/** Reads a statement: brackets and multi-line strings span several lines. */
function readStatement(text: string, start: number): StatementEnds {
  let depth = 0;
  let equals: number | undefined;
  let at = start;
  let valueEnd = start;
  while (at < text.length) {
    PIECE.lastIndex = at;
    const [piece = ""] = PIECE.exec(text) ?? [];
    if (piece === "=") equals ??= at;
    if (piece === "[" || piece === "{") depth += 1;
    if (piece === "]" || piece === "}") depth -= 1;
    at += piece.length;
    if (!/^[\s#]/.test(piece)) valueEnd = at;
    if (piece === "\n" && depth <= 0) break;
  }
  return { end: at, equals, valueEnd };
}

/** The ranges of quoted strings. */
function quotedIn(text: string, [start, end]: Statement["value"]): readonly (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  let at = start;
  while (at < end) {
    PIECE.lastIndex = at;
    const [piece = ""] = PIECE.exec(text) ?? [];
    if (/^["']/.test(piece)) found.push([at, at + piece.length]);
    at += Math.max(piece.length, 1);
  }
  return found;
}

/** The parts of a dotted key, as the parser reads them. */
function keysOf(dotted: string): readonly string[] {
  const keys: string[] = [];
  let inner: unknown = parse(`${dotted.trim()} = 0`);
  while (typeof inner === "object" && inner !== null) {
    const [entry] = Object.entries(inner);
    if (entry === undefined) break;
    keys.push(entry[0]);
    [, inner] = entry;
  }
  return keys;
}

/** The statements about a path. */
const statementsOf = (text: string, path: readonly string[]): readonly Statement[] =>
  readStatements(text).filter((statement) => path.every((key, at) => statement.path[at] === key));

/** Removes the value at a path. */
function removeLines(text: string, path: readonly string[]): string {
  const found = statementsOf(text, path);
  const [first] = found;
  if (first === undefined) return text;
  const cleared = dropLines(text, found);
  const head = cleared.slice(0, first.start);
  // The empty line before a table belongs to it.
  const isApart = first.kind === "table" && /(?:^|\n)[ \t]*\r?\n$/.test(head);
  const kept = isApart ? head.replace(/[ \t]*\r?\n$/, "") : head;
  const tail = cleared.slice(first.start);
  // A file without a final newline keeps it so.
  return tail === "" && !text.endsWith("\n") ? kept.replace(/\r?\n$/, "") : kept + tail;
}

/** Removes statements, with the empty lines and comments between them. */
function dropLines(text: string, statements: readonly Statement[]): string {
  const others = readStatements(text).filter(({ start }) => !statements.some((statement) => statement.start === start));
  return statements
    .map(({ start, end }, at) => {
      const next = statements[at + 1]?.start ?? end;
      return { start, end: others.some((other) => other.start >= end && other.start < next) ? end : next };
    })
    .reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), text);
}

/** Inserts lines after a statement. */
function insertAfter(text: string, { end }: Statement, lines: string): string {
  const head = text.slice(0, end);
  // A file without a final newline keeps it so.
  return head.endsWith("\n") ? head + lines + text.slice(end) : head + endingOf(text) + lines.trimEnd();
}

/** A key and its value as one line. */
const writePair = (path: readonly string[], value: Json): string =>
  `${path.map(writeKey).join(".")} = ${writeValue(value)}`;

const writeKey = (key: string): string => stringify({ [key]: 0 }).replace(/ = 0\s*$/, "");

/** Formats a value on one line. */
function writeValue(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(writeValue).join(", ")}]`;
  if (!isObject(value)) return stringify({ a: value }).trimEnd().slice("a = ".length);
  const pairs = Object.entries(value).map(([key, each]) => writePair([key], each));
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

/** Formats a value as a table. */
function writeTable(path: readonly string[], value: Json, ending: string): string {
  const nested = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return `${stringify(nested).trimEnd()}\n`.replaceAll(/^(\w+ = )\[ (.*) \]$/gm, "$1[$2]").replaceAll("\n", ending);
}

/** Updates a table. Rewrites only the keys that differ, so that comments are kept. */
function updateTable(text: string, path: readonly string[], old: JsonObject, wanted: JsonObject): string {
  const put = Object.entries(wanted).reduce((left, [key, value]) => {
    const before = Object.hasOwn(old, key) ? old[key] : undefined;
    return isDeepStrictEqual(before, value) ? left : putKey(left, [...path, key], before, value);
  }, text);
  // A table without keys would disappear.
  const gone = Object.keys(old).filter((key) => !Object.hasOwn(wanted, key));
  return gone.reduce((left, key) => removeLines(left, [...path, key]), put);
}

function putKey(text: string, path: readonly string[], old: Json | undefined, value: Json): string {
  const [first] = statementsOf(text, path);
  if (first?.kind === "pair" && first.path.length === path.length)
    return text.slice(0, first.value[0]) + writeValue(value) + text.slice(first.value[1]);
  if (first !== undefined && isObject(old) && isObject(value)) return updateTable(text, path, old, value);
  return addKey(removeLines(text, path), path, value);
}

function addKey(text: string, path: readonly string[], value: Json): string {
  const table = path.slice(0, -1);
  const inside = statementsOf(text, table);
  const [first] = inside;
  const last = inside.at(-1);
  const ending = endingOf(text);
  if (first === undefined || last === undefined) return text;
  if (isObject(value)) return insertAfter(text, last, ending + writeTable(path, value, ending));
  const before =
    inside.findLast(({ kind, path: own }) => kind === "pair" && own.length === path.length) ??
    inside.find(({ kind, path: own }) => kind === "table" && own.length === table.length);
  if (before === undefined) {
    const lines = writeTable(table, { [path.at(-1) ?? ""]: value }, ending) + ending;
    return text.slice(0, first.start) + lines + text.slice(first.start);
  }
  const head = readStatements(text).findLast(({ kind, start }) => kind === "table" && start <= before.start);
  const indent = /^[ \t]*/.exec(text.slice(before.start))?.[0] ?? "";
  return insertAfter(text, before, indent + writePair(path.slice(head?.path.length ?? 0), value) + ending);
}

/** TOML, edited by lines: no library keeps comments and order. */
export const TOML_FORMAT: Format = {
  parse(text) {
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      // The rest of the message shows the text, which may contain secrets.
      const [reason = ""] = error.message.split("\n");
      throw new SyntaxFault(reason.replace(/^Invalid TOML document: /, ""), error.line, error.column);
    }
  },
  put(text, path, value) {
    const [first] = statementsOf(text, path);
    if (first === undefined) return append(text, writeTable(path, value, endingOf(text)));
    const old = valueAt(parse(text), path);
    if (first.kind === "pair" || !isObject(old) || !isObject(value)) throw notATable(path);
    return updateTable(text, path, old, value);
  },
  remove: removeLines,
  scalars: (text) =>
    readStatements(text).flatMap(({ value }) =>
      quotedIn(text, value).map(([start, end]) => {
        const { read } = parse(`read = ${text.slice(start, end)}`);
        return { value: read as string, start, end };
      }),
    ),
};

const notATable = (path: readonly string[]): CannotEdit =>
  new CannotEdit(
    `"${path.join(".")}" is not written as a table of its own; make it [${path.join(".")}], or take it out`,
  );

function append(text: string, table: string): string {
  const ending = endingOf(text);
  if (text.trim() === "") return text + table;
  const isEnded = text.endsWith("\n");
  // A file without a final newline keeps it so.
  return isEnded ? text + ending + table : text + ending + ending + table.trimEnd();
}
