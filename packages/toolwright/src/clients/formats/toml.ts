import type { Json } from "@toolwright/engine";
import { parse, stringify, TomlError } from "smol-toml";
import { CannotEdit, endingOf, type Format, SyntaxFault } from "./format.js";
import { readStatements, type Statement } from "./toml-statements.js";

/** TOML, edited by whole lines: no library keeps remarks and order. */
export const TOML_FORMAT: Format = {
  parse(text) {
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      // The rest of the message shows the text, which may have secrets in it.
      const [reason = ""] = error.message.split("\n");
      throw new SyntaxFault(reason.replace(/^Invalid TOML document: /, ""), error.line, error.column);
    }
  },
  put(text, path, value) {
    const found = statementsOf(text, path);
    const table = writeTable(path, value, endingOf(text));
    const [first] = found;
    if (first === undefined) return append(text, table);
    if (first.kind === "pair") throw notATable(path);
    const cleared = dropLines(text, found);
    return cleared.slice(0, first.start) + table + cleared.slice(first.start);
  },
  remove(text, path) {
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
  },
};

const notATable = (path: readonly string[]): CannotEdit =>
  new CannotEdit(
    `"${path.join(".")}" is not written as a table of its own; make it [${path.join(".")}], or take it out`,
  );

const statementsOf = (text: string, path: readonly string[]): readonly Statement[] =>
  readStatements(text).filter((statement) => path.every((key, at) => statement.path[at] === key));

/** Takes statements out, and the empty lines between them. */
function dropLines(text: string, statements: readonly Statement[]): string {
  return statements
    .map(({ start, end }, at) => {
      const next = statements[at + 1]?.start ?? end;
      return { start, end: text.slice(end, next).trim() === "" ? next : end };
    })
    .reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), text);
}

function append(text: string, table: string): string {
  const ending = endingOf(text);
  if (text.trim() === "") return text + table;
  const isEnded = text.endsWith("\n");
  // A file without a last newline stays one.
  return isEnded ? text + ending + table : text + ending + ending + table.trimEnd();
}

function writeTable(path: readonly string[], value: Json, ending: string): string {
  const nested = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return `${stringify(nested).trimEnd()}\n`.replaceAll(/^(\w+ = )\[ (.*) \]$/gm, "$1[$2]").replaceAll("\n", ending);
}
