import type { Json } from "@toolwright/engine";
import { type Document, type ErrorCode, isMap, isScalar, type Pair, parseDocument, type YAMLMap } from "yaml";
import { CannotEdit, type Format, positionOf, SyntaxFault } from "./format.js";
import { addPair, appendPair, dropPair, type KeyedPair, replacePair } from "./yaml-pairs.js";

/** YAML, edited in the text: writing a document anew would change its quotes, its indents and its long lines. */
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
      if (rest.length === 0 || isNothing(pair.value)) return replacePair(text, map, pair, wanted);
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
};

function read(text: string): Document.Parsed {
  const document = parseDocument(text, { prettyErrors: false });
  const [fault] = document.errors;
  if (fault === undefined) return document;
  const { line, column } = positionOf(text, fault.pos[0]);
  throw new SyntaxFault(WORDS[fault.code] ?? "this is no YAML", line, column);
}

/** Nothing of the text is shown: it might be a secret. */
const WORDS: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_INDENT: "the indent does not fit, or a bracket is not closed",
  BLOCK_AS_IMPLICIT_KEY: "a key with a value cannot be here",
  BLOCK_IN_FLOW: "lines with keys cannot be within brackets",
  DUPLICATE_KEY: "this key is there twice",
  MISSING_CHAR: "a sign is missing, such as a closing quote, a bracket or a colon",
  MULTIPLE_DOCS: "a second document begins here, and there may be one",
  TAB_AS_INDENT: "tabs cannot be indents",
  UNEXPECTED_TOKEN: "this cannot be here",
};

const nest = (path: readonly string[], value: Json): Json =>
  path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value);

function asMap(node: unknown, path: readonly string[]): YAMLMap {
  if (isMap(node)) return node;
  throw new CannotEdit(`${path.length === 0 ? "it" : `"${path.join(".")}"`} holds no object of its own`);
}

function pairOf(map: YAMLMap, key: string): KeyedPair | undefined {
  const isKeyed = (pair: Pair): pair is KeyedPair => isScalar(pair.key) && pair.key.value === key;
  return map.items.find(isKeyed);
}

const isNothing = (node: unknown): boolean =>
  node === null || (isScalar(node) && node.value === null) || (isMap(node) && node.items.length === 0);
