import { isObject } from "@toolwright/kit/json";
import { parse, TomlError } from "smol-toml";
import { CannotEdit, endingOf, type Format, SyntaxFault } from "./format.js";
import { removeLines, statementsOf, writeTable } from "./toml-lines.js";
import { quotedIn, readStatements } from "./toml-statements.js";
import { updateTable } from "./toml-update.js";
import { valueAt } from "./value-at.js";

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
  // A file without a last newline stays one.
  return isEnded ? text + ending + table : text + ending + ending + table.trimEnd();
}
