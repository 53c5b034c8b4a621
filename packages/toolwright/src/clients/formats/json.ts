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

/** How a value is formatted. */
interface Layout {
  /** The indentation of the line in which the value begins. */
  readonly indent: string;
  readonly unit: string;
  readonly ending: string;
}

/** The indentation of the line of an offset. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

/** The indentation unit of a text; two spaces if it has none. */
const unitOf = (text: string): string => /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";

/** Formats a value on several lines, lists of scalars on one; without a layout everything on one line. */
function writeValue(value: Json, layout: Layout | undefined): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = layout && { ...layout, indent: layout.indent + layout.unit };
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const parts = Array.isArray(value)
    ? value.map((each) => writeValue(each, inner))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${writeValue(each, inner)}`);
  if (parts.length === 0) return `${open}${close}`;
  const inOneLine = `${open}${parts.join(", ")}${close}`;
  const isPlainList = Array.isArray(value) && value.every((each) => typeof each !== "object");
  if (layout === undefined || inner === undefined || isPlainList)
    return layout === undefined && !Array.isArray(value) ? `{ ${parts.join(", ")} }` : inOneLine;
  const lines = parts.map((part) => `${inner.indent}${part}`).join(`,${layout.ending}`);
  return `${open}${layout.ending}${lines}${layout.ending}${layout.indent}${close}`;
}

/** Adds a member at the end of an object, in its formatting. */
function addMember(text: string, holder: Node, name: string, value: Json): string {
  const last = holder.children?.at(-1);
  const layout = layoutOf(text, holder, last);
  const member = `${JSON.stringify(name)}: ${writeValue(value, layout)}`;
  if (last === undefined) return addFirst(text, holder, member, layout);
  const end = last.offset + last.length;
  const comma = commaAfter(text, end);
  const hasComma = comma !== undefined;
  if (layout === undefined) {
    const at = hasComma ? comma + 1 : end;
    return `${text.slice(0, at)}${hasComma ? " " : ", "}${member}${hasComma ? "," : ""}${text.slice(at)}`;
  }
  // A comment at the end of the line belongs to the member before it.
  const at = lineEndAfter(text, hasComma ? comma + 1 : end);
  const between = hasComma ? text.slice(end, at) : `,${text.slice(end, at)}`;
  return `${text.slice(0, end)}${between}${layout.ending}${layout.indent}${member}${hasComma ? "," : ""}${text.slice(at)}`;
}

/** Undefined = everything on one line, as the object or the text is. */
function layoutOf(text: string, holder: Node, last: Node | undefined): Layout | undefined {
  const inside = text.slice(holder.offset, holder.offset + holder.length);
  const isAllThere = text.slice(0, holder.offset).trim() === "";
  if (!inside.includes("\n") && (last !== undefined || !(isAllThere || text.trim().includes("\n")))) return undefined;
  const unit = unitOf(text);
  const [first] = holder.children ?? [];
  const isOnOwnLine = first !== undefined && /[\r\n][ \t]*$/.test(text.slice(0, first.offset));
  const indent = isOnOwnLine ? indentAt(text, first.offset) : indentAt(text, holder.offset) + unit;
  return { indent, unit, ending: endingOf(text) };
}

function addFirst(text: string, holder: Node, member: string, layout: Layout | undefined): string {
  const [start, end] = [holder.offset + 1, holder.offset + holder.length - 1];
  const inside = text.slice(start, end);
  if (layout === undefined) return `${text.slice(0, start)}${inside.trimEnd()} ${member} ${text.slice(end)}`;
  const outer = indentAt(text, holder.offset);
  const lines = `${layout.ending}${layout.indent}${member}${layout.ending}${outer}`;
  return `${text.slice(0, start)}${inside.trimEnd()}${lines}${text.slice(end)}`;
}

/** Removes a member with its comma and its line. */
function dropMember(text: string, member: Node): string {
  const siblings = member.parent?.children ?? [];
  const at = siblings.indexOf(member);
  const before = siblings[at - 1];
  let [start, end] = [member.offset, member.offset + member.length];
  const comma = commaAfter(text, end);
  if (comma !== undefined && text.slice(end, comma).trim() === "") end = comma + 1;
  const ownStart = /(?:^|\n)[ \t]*$/.exec(text.slice(0, start));
  const ownEnd = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(end));
  if (ownStart && ownEnd) {
    start = text.lastIndexOf("\n", start - 1) + 1;
    end += ownEnd[0].length;
  } else if (comma !== undefined) end += /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  else if (before === undefined) start -= /[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0;
  else {
    // The last member of a line.
    const previous = commaAfter(text, before.offset + before.length) ?? start;
    return text.slice(0, previous) + text.slice(end);
  }
  const left = withoutLastComma(text.slice(0, start), text.slice(end), comma === undefined ? before : undefined);
  return siblings.length === 1 ? closeEmpty(left, member.parent?.offset ?? 0) : left;
}

function withoutLastComma(head: string, tail: string, before: Node | undefined): string {
  const comma = before && commaAfter(head, before.offset + before.length);
  return (comma === undefined ? head : head.slice(0, comma) + head.slice(comma + 1)) + tail;
}

/** Joins empty braces. */
const closeEmpty = (text: string, brace: number): string =>
  text.slice(0, brace) + text.slice(brace).replace(/^\{\s*\}/, "{}");

const PASSED = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;

/** The offset of the comma after an offset, if it is the next token. */
function commaAfter(text: string, offset: number): number | undefined {
  PASSED.lastIndex = offset;
  const at = offset + (PASSED.exec(text)?.[0].length ?? 0);
  return text[at] === "," ? at : undefined;
}

/** The end of the line, if only comments and spaces are before it; otherwise the offset. */
function lineEndAfter(text: string, offset: number): number {
  const rest = /^(?:[ \t]|\/\*(?:(?!\*\/)[^\r\n])*\*\/)*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/.exec(text.slice(offset));
  return offset + (rest?.[0].length ?? 0);
}

const LENIENT = { allowTrailingComma: true } as const;

/** JSON with comments and trailing commas, as most clients read it. */
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

/** Clients read an empty text, or one with only comments, as an empty object. */
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
  throw new SyntaxFault(MESSAGES[printParseErrorCode(first.error)] ?? "invalid JSON", line, column);
}

/** The text is not shown: it may be a secret without quotes. */
const MESSAGES: Readonly<Record<string, string>> = {
  InvalidSymbol: "this is no value; texts need double quotes",
  InvalidNumberFormat: "invalid number",
  PropertyNameExpected: "expected a name in double quotes",
  ValueExpected: "expected a value",
  ColonExpected: "expected a colon",
  CommaExpected: "expected a comma",
  CloseBraceExpected: "a } is missing",
  CloseBracketExpected: "a ] is missing",
  EndOfFileExpected: "unexpected text after the end",
  UnexpectedEndOfComment: "unterminated comment",
  UnexpectedEndOfString: "unterminated string",
  InvalidCharacter: "invalid character in a string",
};

const treeOf = (text: string): Node | undefined => parseTree(text, [], LENIENT);

/** Sets a value, and creates missing objects. */
function putAt(text: string, path: readonly string[], value: Json): string {
  const root = treeOf(text);
  if (root?.type !== "object") throw new CannotEdit("it is not an object");
  for (let depth = 0; depth < path.length; depth += 1) {
    const name = path[depth] ?? "";
    const holder = findNodeAtLocation(root, path.slice(0, depth));
    if (holder?.type !== "object") throw new CannotEdit(`"${path.slice(0, depth).join(".")}" is not an object`);
    if (findNodeAtLocation(root, path.slice(0, depth + 1)) !== undefined) continue;
    const rest = path.slice(depth + 1).reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
    return addMember(text, holder, name, rest);
  }
  return replace(text, path, value);
}

/** Rewrites only what differs, so that comments are kept. */
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

/** JSON without trailing commas, and optionally without comments. */
export const strictJson = (allowsComments: boolean): Format => ({
  ...JSON_FORMAT,
  parse(text) {
    const value = JSON_FORMAT.parse(text);
    rejectExtensions(text, allowsComments);
    return value;
  },
});

function rejectExtensions(text: string, allowsComments: boolean): void {
  const refuse = (what: string, offset: number): never => {
    const { line, column } = positionOf(text, offset);
    throw new SyntaxFault(`this client does not support ${what}`, line, column);
  };
  let comma: number | undefined;
  const passComma = (): void => {
    comma = undefined;
  };
  const endList = (): void => {
    if (comma !== undefined) refuse("trailing commas", comma);
  };
  visit(
    text,
    {
      onComment: (offset) => (allowsComments ? undefined : refuse("comments", offset)),
      onSeparator: (sign, offset) => {
        comma = sign === "," ? offset : undefined;
      },
      onObjectProperty: passComma,
      onObjectBegin: passComma,
      onArrayBegin: passComma,
      onLiteralValue: passComma,
      onObjectEnd: endList,
      onArrayEnd: endList,
    },
    { allowTrailingComma: true },
  );
}
