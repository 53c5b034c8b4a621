import { isDeepStrictEqual } from "node:util";
import type { Json, JsonObject } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import { endingOf } from "./format.js";
import { insertAfter, removeLines, statementsOf, writePair, writeTable, writeValue } from "./toml-lines.js";
import { readStatements } from "./toml-statements.js";

/** The text with another value of a table. Rewrites only the pairs that differ: remarks on the others stay. */
export function updateTable(text: string, path: readonly string[], old: JsonObject, wanted: JsonObject): string {
  const put = Object.entries(wanted).reduce((left, [key, value]) => {
    const before = Object.hasOwn(old, key) ? old[key] : undefined;
    return isDeepStrictEqual(before, value) ? left : putKey(left, [...path, key], before, value);
  }, text);
  // A table that has lost everything would be lost itself.
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
