import { blankOut, type SyntaxNode, type SyntaxTree } from "@toolwright/kit/syntax";
import { type Section, sectionAt, sectionsOf } from "./sections.js";
import type { SourceLanguage } from "./source-language.js";
import type { Span } from "./timed-search.js";

/** A text as a review sees it: comments are blank, and it is known what lies in strings and in which function. */
export interface ReadText {
  /** As long as what was given, with the same lines. */
  readonly code: string;
  /** Whether the grammar of its language has read it. */
  readonly isParsed: boolean;
  /** Whether something that does the risky thing does it here: not in a comment, and not in a string that is no query. */
  doesIt(span: Span): boolean;
  /** Whether a check is seen here: not in a comment, and not in prose. */
  isSeen(span: Span): boolean;
  sectionAt(place: number): Section;
}

/** Lines of programs that were made smaller say nothing, and take expressions long. */
const MAX_LINE = 2000;
const PARSE_TIMEOUT_MS = 2000;
const LONG_LINE = new RegExp(`^.{${MAX_LINE + 1},}$`, "gm");

/** Reads a text with the grammar of its language, where there is one. */
export async function readText(text: string, { names, grammar }: SourceLanguage): Promise<ReadText> {
  const shorter = text.replaceAll(LONG_LINE, blankOut);
  if (grammar === undefined) return readPlainText(shorter, names);
  const { ParseTimeout, parseSource } = await import("@toolwright/kit/syntax/parse.js");
  try {
    using tree = await parseSource(grammar, shorter, PARSE_TIMEOUT_MS);
    return readTree(shorter, tree);
  } catch (error) {
    if (error instanceof ParseTimeout) return readPlainText(shorter, names);
    throw error;
  }
}

function readTree(text: string, tree: SyntaxTree): ReadText {
  const strings: readonly StringPart[] = stringsIn(tree);
  const sections = sectionsOf(tree);
  const whole: Section = { start: 0, end: text.length };
  return {
    code: withoutComments(text, tree),
    isParsed: true,
    doesIt: (span) => ["query", undefined].includes(stringAround(strings, span)?.holds),
    isSeen: (span) => stringAround(strings, span)?.holds !== "prose",
    sectionAt: (place) => sectionAt(sections, place) ?? whole,
  };
}

function withoutComments(text: string, tree: SyntaxTree): string {
  const blank: Span[] = [];
  const open = [tree.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.isComment || isDocumentation(node, tree)) blank.push(node);
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
/** The first line of a block of Terraform, or of whatever else begins at the margin and ends with a brace there. */
const OPENING = /^[^\s{}#/].*\{[ \t]*$/;

function readPlainText(text: string, names: readonly string[]): ReadText {
  const code = text.replaceAll(COMMENT_LINE, blankOut);
  const blocks = names.includes("terraform") ? blocksIn(code) : [];
  return {
    code,
    isParsed: false,
    doesIt: () => true,
    isSeen: () => true,
    sectionAt: (place) => sectionAt(blocks, place) ?? { start: 0, end: text.length },
  };
}

/** Line by line, for an expression would look from each line that opens a block to the end of a text that closes none. */
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

/** The text of a string, up to what is put into it. */
interface StringPart extends Span {
  /** What the string holds: prose says nothing of what the code does. */
  readonly holds: "query" | "word" | "prose";
}

const CONTENT =
  /^(?:(?:\w+_)?(?:string_fragment|string_content|literal_content|heredoc_content)|escape_sequence|nowdoc_string|verbatim_string_literal)$/;
/** A statement of SQL, or a condition of one with a place for a value. */
const QUERY =
  /^\s*(?:select\s[\s\S]*\bfrom\b|insert\s+into\b|update\s+\S+\s+set\b|delete\s+from\b|with\s+\w+\s+as\b|where\s+\w|set\s+\S+\s*=|set\s+(?:local|session)\b)|\w\s*(?:[=<>]|\b(?:in|like)\b)\s*\(?(?:\?|\$\d|:\w|%s|@\w)/i;

/** The parts of all strings of a tree, in order. */
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

/** Texts that only document: in Python a string that stands alone as a statement. */
const isDocumentation = (node: SyntaxNode, { language }: SyntaxTree): boolean =>
  language === "python" &&
  node.type === "expression_statement" &&
  node.named.length === 1 &&
  node.named[0]?.type === "string";

function partsOf(children: readonly SyntaxNode[], tree: SyntaxTree): readonly StringPart[] {
  const contents = children.filter(({ type }) => CONTENT.test(type));
  const [first, last] = [contents[0], contents.at(-1)];
  if (first === undefined || last === undefined) return [];
  const whole = tree.text.slice(first.start, last.end).replace(/^@"/, "");
  const holds = QUERY.test(whole) ? "query" : /\s/.test(whole.trim()) ? "prose" : "word";
  const parts: { start: number; end: number; readonly holds: StringPart["holds"] }[] = [];
  for (const { start, end } of contents) {
    const before = parts.at(-1);
    if (before?.end === start) before.end = end;
    else parts.push({ start, end, holds });
  }
  return parts;
}

/** The part of a string that a span lies in as a whole. */
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
