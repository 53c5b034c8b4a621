import { parse } from "smol-toml";

/** A table's head or a pair of a TOML text, with the lines that it takes. */
export interface Statement {
  readonly kind: "table" | "pair";
  /** From the root, with the table in front. */
  readonly path: readonly string[];
  readonly start: number;
  /** Behind its last line. */
  readonly end: number;
  /** Where the value of a pair begins and ends. */
  readonly value: readonly [start: number, end: number];
}

/** One piece of a value: a text of any kind, a remark, or a single sign. */
const PIECE = /"""[\s\S]*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[\s\S]/y;

/** Splits a text that parses into its statements. */
export function readStatements(text: string): readonly Statement[] {
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
  /** Behind the last sign that is neither space nor remark. */
  readonly valueEnd: number;
}

/** From one line to where its statement ends: brackets and long texts go over several. */
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

/** Where the texts in quotes stand in a part of a text; what has no quotes is in one line, and easily found. */
export function quotedIn(text: string, [start, end]: Statement["value"]): readonly (readonly [number, number])[] {
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
