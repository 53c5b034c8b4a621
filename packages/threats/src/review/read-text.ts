import { blankOut, type SyntaxTree } from "@toolwright/kit/syntax";
import type { SourceLanguage } from "./languages.js";
import { type Section, sectionAt, sectionsOf } from "./sections.js";
import { isDocumentation, partAround, type StringPart, stringsIn } from "./strings.js";
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
const MOST_LINE = 2000;
const MOST_PARSE_MS = 2000;
const LONG_LINE = new RegExp(`^.{${MOST_LINE + 1},}$`, "gm");

/** Reads a text with the grammar of its language, where there is one. */
export async function readText(text: string, { names, grammar }: SourceLanguage): Promise<ReadText> {
  const shorter = text.replaceAll(LONG_LINE, blankOut);
  if (grammar === undefined) return readPlain(shorter, names);
  const { ParseTimeout, parseSource } = await import("@toolwright/kit/syntax/parse.js");
  try {
    using tree = await parseSource(grammar, shorter, MOST_PARSE_MS);
    return readTree(shorter, tree);
  } catch (error) {
    if (error instanceof ParseTimeout) return readPlain(shorter, names);
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
    doesIt: (span) => ["query", undefined].includes(partAround(strings, span)?.holds),
    isSeen: (span) => partAround(strings, span)?.holds !== "prose",
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

function readPlain(text: string, names: readonly string[]): ReadText {
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
