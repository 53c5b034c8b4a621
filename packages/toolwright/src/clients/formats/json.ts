import { isDeepStrictEqual } from "node:util";
import type { Json } from "@toolwright/engine";
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
  stripComments,
  visit,
} from "jsonc-parser";
import { CannotEdit, endingOf, type Format, positionOf, type Scalar, SyntaxFault } from "./format.js";
import { addMember, dropMember } from "./json-members.js";
import { indentAt, unitOf, writeValue } from "./json-style.js";

const LENIENT = { allowTrailingComma: true } as const;

/** JSON in which comments and commas after the last element are allowed, as most clients read it. */
export const JSON_FORMAT: Format = {
  parse: parseJson,
  put: (text, path, value) => putAt(isEmpty(text) ? withObject(text) : text, path, value),
  remove(text, path) {
    const root = treeOf(text);
    const node = root && findNodeAtLocation(root, [...path]);
    return node?.parent?.type === "property" ? dropMember(text, node.parent) : text;
  },
  scalars(text) {
    const found: Scalar[] = [];
    visit(text, {
      onLiteralValue: (value, start, length) => found.push({ value: String(value), start, end: start + length }),
    });
    return found;
  },
};

/** Nothing, or nothing but comments: clients take that for an object with nothing in it. */
const isEmpty = (text: string): boolean => stripComments(text).trim() === "";

function withObject(text: string): string {
  if (text.trim() === "") return `{}${text === "" ? "\n" : text}`;
  return `${text}${text.endsWith("\n") ? "" : endingOf(text)}{}${endingOf(text)}`;
}

function parseJson(text: string): unknown {
  if (isEmpty(text)) return {};
  const faults: ParseError[] = [];
  const value: unknown = parse(text, faults, LENIENT);
  const [first] = faults;
  if (first === undefined) return value;
  const { line, column } = positionOf(text, first.offset);
  throw new SyntaxFault(WORDS[printParseErrorCode(first.error)] ?? "this is no JSON", line, column);
}

/** Nothing of the text is shown: it might be a secret without its quotes. */
const WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: "this is no value; texts need double quotes",
  InvalidNumberFormat: "this is no number",
  PropertyNameExpected: "a name in double quotes must be here",
  ValueExpected: "a value must be here",
  ColonExpected: "a colon must be here",
  CommaExpected: "a comma must be here",
  CloseBraceExpected: "a } is missing",
  CloseBracketExpected: "a ] is missing",
  EndOfFileExpected: "nothing may follow the end",
  UnexpectedEndOfComment: "a comment has no end",
  UnexpectedEndOfString: "a text has no end in this line",
  InvalidCharacter: "a text has a sign that JSON does not have",
};

const treeOf = (text: string): Node | undefined => parseTree(text, [], LENIENT);

/** Makes what is missing on the way, from the outside to the inside. */
function putAt(text: string, path: readonly string[], value: Json): string {
  const root = treeOf(text);
  if (root?.type !== "object") throw new CannotEdit("it holds no object");
  for (let depth = 0; depth < path.length; depth += 1) {
    const name = path[depth] ?? "";
    const holder = findNodeAtLocation(root, path.slice(0, depth));
    if (holder?.type !== "object") throw new CannotEdit(`"${path.slice(0, depth).join(".")}" holds no object`);
    if (findNodeAtLocation(root, path.slice(0, depth + 1)) !== undefined) continue;
    const rest = path.slice(depth + 1).reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
    return addMember(text, holder, name, rest);
  }
  return replace(text, path, value);
}

/** Rewrites only what differs: comments within an object outlive a new value of one of its members. */
function replace(text: string, path: readonly string[], value: Json): string {
  const root = treeOf(text);
  const node = root && findNodeAtLocation(root, [...path]);
  if (node === undefined || isDeepStrictEqual(getNodeValue(node), value)) return text;
  if (node.type !== "object" || typeof value !== "object" || value === null || Array.isArray(value)) {
    const style = { indent: indentAt(text, node.offset), unit: unitOf(text), ending: endingOf(text) };
    const isBroken = text.slice(node.offset, node.offset + node.length).includes("\n");
    const written = writeValue(value, isBroken || node.type !== "array" ? style : undefined);
    return text.slice(0, node.offset) + written + text.slice(node.offset + node.length);
  }
  const gone = Object.keys(getNodeValue(node) as object).filter((name) => !Object.hasOwn(value, name));
  const kept = gone.reduce((left, name) => JSON_FORMAT.remove(left, [...path, name]), text);
  return Object.entries(value).reduce((left, [name, each]) => putAt(left, [...path, name], each), kept);
}
