import { isDeepStrictEqual } from "node:util";
import type { Json, JsonObject } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import { type Document, type ErrorCode, isMap, isScalar, type Pair, parseDocument, visit, type YAMLMap } from "yaml";
import { CannotEdit, type Format, positionOf, type Scalar, SyntaxFault, valueAt } from "./format.js";
import { addPair, appendPair, dropPair, type KeyedPair, replacePair } from "./yaml-pairs.js";

/** YAML, edited as text: rewriting the document would change quotes, indentation and long lines. */
export const YAML_FORMAT: Format = {
  parse: (text) => (read(text).toJS() as unknown) ?? {},
  put(text, path, value) {
    const { contents } = read(text);
    if (contents === null) return appendPair(text, nest(path, value));
    let map = asMap(contents, []);
    for (const [depth, key] of path.entries()) {
      const rest = path.slice(depth + 1);
      const pair = pairOf(map, key);
      const wanted = { [key]: nest(rest, value) };
      if (pair === undefined) return addPair(text, map, wanted);
      const isLast = rest.length === 0;
      if (isLast && isObject(value) && hasPairs(pair.value)) return updateMap(text, path, value);
      if (isLast || isNothing(pair.value)) return replacePair(text, map, pair, wanted);
      map = asMap(pair.value, path.slice(0, depth + 1));
    }
    return text;
  },
  remove(text, path) {
    const { contents } = read(text);
    let map: unknown = contents;
    let holder: KeyedPair | undefined;
    for (const key of path.slice(0, -1)) {
      holder = isMap(map) ? pairOf(map, key) : undefined;
      map = holder?.value;
    }
    const pair = isMap(map) ? pairOf(map, path.at(-1) ?? "") : undefined;
    return isMap(map) && pair !== undefined ? dropPair(text, map, pair, holder) : text;
  },
  scalars(text) {
    const found: Scalar[] = [];
    visit(read(text), {
      Scalar(key, { value, range }) {
        if (key !== "key" && range) found.push({ value: String(value), start: range[0], end: range[1] });
      },
    });
    return found;
  },
};

/** Rewrites only the pairs that differ, so that comments are kept. */
function updateMap(text: string, path: readonly string[], wanted: JsonObject): string {
  const old = valueAt(YAML_FORMAT.parse(text), path) as JsonObject;
  const put = Object.entries(wanted).reduce((left, [key, value]) => {
    const isSame = Object.hasOwn(old, key) && isDeepStrictEqual(old[key], value);
    return isSame ? left : YAML_FORMAT.put(left, [...path, key], value);
  }, text);
  // An empty map would be written on one line.
  const gone = Object.keys(old).filter((key) => !Object.hasOwn(wanted, key));
  return gone.reduce((left, key) => YAML_FORMAT.remove(left, [...path, key]), put);
}

/** A map with an anchor may be used elsewhere. */
const hasPairs = (node: unknown): boolean => isMap(node) && node.items.length > 0 && node.anchor === undefined;

function read(text: string): Document.Parsed {
  const document = parseDocument(text, { prettyErrors: false });
  const [fault] = document.errors;
  if (fault === undefined) return document;
  const { line, column } = positionOf(text, fault.pos[0]);
  throw new SyntaxFault(MESSAGES[fault.code] ?? "invalid YAML", line, column);
}

/** The text is not shown: it may be a secret. */
const MESSAGES: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_INDENT: "the indent does not fit, or a bracket is not closed",
  BLOCK_AS_IMPLICIT_KEY: "unexpected key",
  BLOCK_IN_FLOW: "block mapping in a flow collection",
  DUPLICATE_KEY: "duplicate key",
  MISSING_CHAR: "a sign is missing, such as a closing quote, a bracket or a colon",
  MULTIPLE_DOCS: "a second document begins here, and there may be one",
  TAB_AS_INDENT: "tabs cannot be used for indentation",
  UNEXPECTED_TOKEN: "unexpected token",
};

const nest = (path: readonly string[], value: Json): Json =>
  path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value);

function asMap(node: unknown, path: readonly string[]): YAMLMap {
  if (isMap(node)) return node;
  throw new CannotEdit(`${path.length === 0 ? "it" : `"${path.join(".")}"`} is not a separate object`);
}

function pairOf(map: YAMLMap, key: string): KeyedPair | undefined {
  const isKeyed = (pair: Pair): pair is KeyedPair => isScalar(pair.key) && pair.key.value === key;
  return map.items.find(isKeyed);
}

const isNothing = (node: unknown): boolean =>
  node === null || (isScalar(node) && node.value === null) || (isMap(node) && node.items.length === 0);
