import { blankOut, type SyntaxNode, type SyntaxTree } from "@toolwright/kit/syntax";
import { type Section, sectionAt, sectionsOf } from "./sections.js";
import type { SourceLanguage } from "./source-language.js";
import type { Span } from "./timed-search.js";

/** A source text without comments, with its strings and functions. */
export interface SourceText {
  /** The text with comments replaced by spaces. Offsets and lines stay the same. */
  readonly code: string;
  /** Whether it was parsed with a grammar. */
  readonly isParsed: boolean;
  /** Whether a span can be risky code: it is not in a string, or the string is SQL. */
  canBeRisk(span: Span): boolean;
  /** Whether a span can be a check: it is not in a string that is prose. */
  canBeCheck(span: Span): boolean;
  sectionAt(offset: number): Section;
}

/** Longer lines are ignored: they are minified code, and slow for regular expressions. */
const MAX_LINE = 2000;
const PARSE_TIMEOUT_MS = 2000;
const LONG_LINE = new RegExp(`^.{${MAX_LINE + 1},}$`, "gm");

/** Parses a text, if there is a grammar for its language. */
export async function parseSourceText(text: string, { names, grammar }: SourceLanguage): Promise<SourceText> {
  const shorter = text.replaceAll(LONG_LINE, blankOut);
  if (grammar === undefined) return fromPlainText(shorter, names);
  const { ParseTimeout, parseSource } = await import("@toolwright/kit/syntax/parse.js");
  try {
    using tree = await parseSource(grammar, shorter, PARSE_TIMEOUT_MS);
    return fromTree(shorter, tree);
  } catch (error) {
    if (error instanceof ParseTimeout) return fromPlainText(shorter, names);
    throw error;
  }
}

function fromTree(text: string, tree: SyntaxTree): SourceText {
  const strings: readonly StringPart[] = stringsIn(tree);
  const sections = sectionsOf(tree);
  const whole: Section = { start: 0, end: text.length };
  return {
    code: withoutComments(text, tree),
    isParsed: true,
    canBeRisk: (span) => ["query", undefined].includes(stringAround(strings, span)?.kind),
    canBeCheck: (span) => stringAround(strings, span)?.kind !== "prose",
    sectionAt: (offset) => sectionAt(sections, offset) ?? whole,
  };
}

function withoutComments(text: string, tree: SyntaxTree): string {
  const blank: Span[] = [];
  const open = [tree.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.isComment || isDocstring(node, tree)) blank.push(node);
    else for (const child of node.children) open.push(child);
  }
  let code = "";
  let at = 0;
  for (const { start, end } of blank.sort((a, b) => a.start - b.start)) {
    if (start < at) continue;
    code += text.slice(at, start) + blankOut(text.slice(start, end));
    at = end;
  }
  return code + text.slice(at);
}

const COMMENT_LINE = /^[ \t]*(?:#|\/\/|--[ \t]).*$/gm;
/** The first line of a Terraform block: not indented, and ends with a brace. */
const OPENING = /^[^\s{}#/].*\{[ \t]*$/;

function fromPlainText(text: string, names: readonly string[]): SourceText {
  const code = text.replaceAll(COMMENT_LINE, blankOut);
  const blocks = names.includes("terraform") ? blocksIn(code) : [];
  return {
    code,
    isParsed: false,
    canBeRisk: () => true,
    canBeCheck: () => true,
    sectionAt: (offset) => sectionAt(blocks, offset) ?? { start: 0, end: text.length },
  };
}

/** Finds blocks line by line. A regular expression takes quadratic time if blocks are not closed. */
function blocksIn(code: string): readonly Section[] {
  const found: Section[] = [];
  let open: { readonly start: number; readonly name: string } | undefined;
  let at = 0;
  for (const line of code.split("\n")) {
    if (open === undefined && OPENING.test(line))
      open = { start: at, name: line.slice(0, line.indexOf("{")).trim().slice(0, 80) };
    else if (open !== undefined && line.startsWith("}")) {
      found.push({ start: open.start, end: at + 1, name: open.name });
      open = undefined;
    }
    at += line.length + 1;
  }
  return found;
}

/** A part of a string literal between interpolations. */
interface StringPart extends Span {
  /** The kind of the whole string. Prose is neither a risk nor a check. */
  readonly kind: "query" | "word" | "prose";
}

const CONTENT =
  /^(?:(?:\w+_)?(?:string_fragment|string_content|literal_content|heredoc_content)|escape_sequence|nowdoc_string|verbatim_string_literal)$/;
/** An SQL statement, or an SQL condition with a placeholder. */
const QUERY =
  /^\s*(?:select\s[\s\S]*\bfrom\b|insert\s+into\b|update\s+\S+\s+set\b|delete\s+from\b|with\s+\w+\s+as\b|where\s+\w|set\s+\S+\s*=|set\s+(?:local|session)\b)|\w\s*(?:[=<>]|\b(?:in|like)\b)\s*\(?(?:\?|\$\d|:\w|%s|@\w)/i;

/** Returns the parts of all strings, in order. */
function stringsIn(tree: SyntaxTree): readonly StringPart[] {
  const found: StringPart[] = [];
  const open = [tree.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === "verbatim_string_literal") for (const part of partsOf([node], tree)) found.push(part);
    else if (node.children.some(({ type }) => CONTENT.test(type)))
      for (const part of partsOf(node.children, tree)) found.push(part);
    for (const child of node.children) open.push(child);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Whether a node is a docstring: in Python, a string that is a statement. */
const isDocstring = (node: SyntaxNode, { language }: SyntaxTree): boolean =>
  language === "python" &&
  node.type === "expression_statement" &&
  node.named.length === 1 &&
  node.named[0]?.type === "string";

function partsOf(children: readonly SyntaxNode[], tree: SyntaxTree): readonly StringPart[] {
  const contents = children.filter(({ type }) => CONTENT.test(type));
  const [first, last] = [contents[0], contents.at(-1)];
  if (first === undefined || last === undefined) return [];
  const whole = tree.text.slice(first.start, last.end).replace(/^@"/, "");
  const kind = QUERY.test(whole) ? "query" : /\s/.test(whole.trim()) ? "prose" : "word";
  const parts: { start: number; end: number; readonly kind: StringPart["kind"] }[] = [];
  for (const { start, end } of contents) {
    const before = parts.at(-1);
    if (before?.end === start) before.end = end;
    else parts.push({ start, end, kind });
  }
  return parts;
}

/** Returns the part of a string that contains a span. */
function stringAround(parts: readonly StringPart[], { start, end }: Span): StringPart | undefined {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((parts[middle]?.start ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  const part = parts[low - 1];
  return part !== undefined && end <= part.end ? part : undefined;
}
