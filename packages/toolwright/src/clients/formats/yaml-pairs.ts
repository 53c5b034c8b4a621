import type { Json, JsonObject } from "@toolwright/engine";
import { isCollection, isNode, isScalar, type Node, type Pair, type Scalar, stringify, type YAMLMap } from "yaml";
import { CannotEdit, endingOf } from "./format.js";

/** A pair whose key is a scalar. */
export type KeyedPair = Pair<Scalar>;

/** Adds a pair at the end of a map. */
export function addPair(text: string, map: YAMLMap, wanted: Json): string {
  const last = map.items.at(-1) as KeyedPair | undefined;
  if (map.flow === true || last === undefined) {
    const end = startAndEnd(map)[1] - 1;
    const inner = JSON.stringify(wanted).slice(1, -1);
    const head = text.slice(0, end).trimEnd();
    return `${head}${/[{,]$/.test(head) ? " " : ", "}${inner} ${text.slice(end)}`;
  }
  const first = map.items[0] as KeyedPair;
  const at = linesOf(text, last)[1];
  return insertLines(text, at, writeLines(wanted, columnOf(text, first), text));
}

/** Appends lines to a text without content, which may have comments. */
export const appendPair = (text: string, wanted: Json): string =>
  insertLines(text, text.length, writeLines(wanted, 0, text));

/** Replaces the value of a pair; a comment at the end of its first line is kept. */
export function replacePair(text: string, map: YAMLMap, pair: KeyedPair, wanted: JsonObject): string {
  const { value } = pair;
  if (map.flow === true) {
    const end = isNode(value) ? startAndEnd(value)[1] : startAndEnd(pair.key)[1];
    return text.slice(0, startAndEnd(pair.key)[0]) + JSON.stringify(wanted).slice(1, -1) + text.slice(end);
  }
  if (isNode(value) && "anchor" in value && value.anchor !== undefined)
    throw new CannotEdit(`"${String(pair.key.value)}" has an anchor that may be used elsewhere`);
  const [start, end] = linesOf(text, pair);
  const old = text.slice(start, end);
  const inPlace = isNode(value) ? writeAs(value, wanted[String(pair.key.value)] ?? null) : undefined;
  if (isNode(value) && inPlace !== undefined) {
    const [from, to] = startAndEnd(value);
    return text.slice(0, from) + inPlace + text.slice(to);
  }
  const remark = commentAfter(text, pair);
  const lines = writeLines(wanted, columnOf(text, pair), text).replace(/(?=\r?\n)/, remark);
  return text.slice(0, start) + (old.endsWith("\n") ? lines : lines.trimEnd()) + text.slice(end);
}

/** Formats a value like the old one on one line; undefined if that is not possible. */
function writeAs(old: Node, value: Json): string | undefined {
  if (isCollection(old)) return old.flow === true ? writeFlow(value) : undefined;
  const isBlock = isScalar(old) && (old.type === "BLOCK_FOLDED" || old.type === "BLOCK_LITERAL");
  if (!isScalar(old) || isBlock || old.value === null || typeof value === "object") return undefined;
  const written = stringify(value, { lineWidth: 0 }).trimEnd();
  return written.includes("\n") ? undefined : written;
}

const writeFlow = (value: Json): string =>
  Array.isArray(value) ? `[${value.map((each) => JSON.stringify(each)).join(", ")}]` : JSON.stringify(value);

/** The comment at the end of the line of a key. */
function commentAfter(text: string, { key, value }: KeyedPair): string {
  const keyEnd = startAndEnd(key)[1];
  const [from, to] = isNode(value) ? startAndEnd(value) : [keyEnd, keyEnd];
  const head = /^:([ \t]+#[^\r\n]*)/.exec(text.slice(keyEnd))?.[1];
  return head ?? (text.slice(from, to).includes("\n") ? "" : (/^[ \t]+#[^\r\n]*/.exec(text.slice(to))?.[0] ?? ""));
}

/** Removes a pair; an empty map is written as such. */
export function dropPair(text: string, map: YAMLMap, pair: KeyedPair, holder: KeyedPair | undefined): string {
  if (map.flow === true) return dropFromFlow(text, map, pair);
  const [start, end] = linesOf(text, pair);
  const rest = text.slice(0, start) + text.slice(end);
  // A file without a final newline keeps it so.
  const left = text.endsWith("\n") ? rest : rest.replace(/\r?\n$/, "");
  if (map.items.length > 1 || holder === undefined) return left;
  const colon = text.indexOf(":", startAndEnd(holder.key)[1]);
  return `${left.slice(0, colon + 1)} {}${left.slice(colon + 1)}`;
}

function dropFromFlow(text: string, map: YAMLMap, pair: KeyedPair): string {
  const at = map.items.indexOf(pair);
  const start = startAndEnd(pair.key)[0];
  const end = isNode(pair.value) ? startAndEnd(pair.value)[1] : startAndEnd(pair.key)[1];
  const head = text.slice(0, start);
  const tail = text.slice(end);
  if (at < map.items.length - 1) return head + tail.replace(/^\s*,[ \t]*/, "");
  return head.replace(/(?:,\s*|[ \t]+)$/, "") + tail;
}

function insertLines(text: string, at: number, lines: string): string {
  const head = text.slice(0, at);
  // A file without a final newline keeps it so.
  if (head !== "" && !head.endsWith("\n")) return `${head}${endingOf(text)}${lines.trimEnd()}${text.slice(at)}`;
  return head + lines + text.slice(at);
}

/** The range of the lines of a pair. */
function linesOf(text: string, { key, value }: KeyedPair): readonly [start: number, end: number] {
  const start = text.lastIndexOf("\n", startAndEnd(key)[0] - 1) + 1;
  const valueEnd = Math.max(isNode(value) ? startAndEnd(value)[1] : 0, startAndEnd(key)[1]);
  if (text[valueEnd - 1] === "\n") return [start, valueEnd];
  const next = text.indexOf("\n", valueEnd);
  return [start, next === -1 ? text.length : next + 1];
}

const columnOf = (text: string, { key }: KeyedPair): number =>
  startAndEnd(key)[0] - (text.lastIndexOf("\n", startAndEnd(key)[0] - 1) + 1);

function startAndEnd({ range }: Node): readonly [start: number, end: number] {
  if (!range) throw new CannotEdit("a part of it has no position");
  return [range[0], range[1]];
}

/** Formats lines with the line endings and indentation of the text. */
function writeLines(value: Json, indent: number, text: string): string {
  const step = /^( {1,8})[^\s#-]/m.exec(text)?.[1]?.length ?? 2;
  const lines = stringify(value, { lineWidth: 0, indent: step }).trimEnd().split("\n");
  return lines.map((line) => `${" ".repeat(indent)}${line}${endingOf(text)}`).join("");
}
