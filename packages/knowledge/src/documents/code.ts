import {
  isHeader,
  type Language,
  languageOf,
  languageOfHeader,
  type SyntaxNode,
  type SyntaxTree,
} from "@toolwright/kit/syntax";
import { isBlank, readParagraphs } from "./plain-text.js";
import type { Block } from "./reading.js";

/** Larger files are split at blank lines, because their syntax tree needs too much memory. */
const LARGEST = 300_000;
/** Larger declarations are split at their members. */
const LARGE = 1500;

/** Returns the language if a grammar for it is available. */
export function grammarLanguage(name: string, text: string): Language | undefined {
  return isHeader(name) ? languageOfHeader(text) : languageOf(name);
}

/** Splits source code into functions, classes and members, each with its leading comment. */
export async function readCode(text: string, language: Language | undefined): Promise<Block[]> {
  if (language === undefined || text.length > LARGEST) return readParagraphs(text, "code");
  const { parseSource } = await import("@toolwright/kit/syntax/parse.js");
  let tree: SyntaxTree;
  try {
    tree = await parseSource(language, text);
  } catch {
    // Falls back to paragraphs if the parser fails.
    return readParagraphs(text, "code");
  }
  using parsed = tree;
  return toBlocks(text, cutsIn(parsed));
}

/** The start of a block and the names of its enclosing declarations. */
interface Cut {
  readonly at: number;
  readonly headings: readonly string[];
}

function cutsIn(tree: SyntaxTree): Cut[] {
  const cuts: Cut[] = [];
  const open: { readonly nodes: readonly SyntaxNode[]; readonly headings: readonly string[] }[] = [
    { nodes: tree.root.children, headings: [] },
  ];
  for (let level = open.pop(); level !== undefined; level = open.pop()) {
    let commentStart: number | undefined;
    let last = 0;
    for (const node of level.nodes) {
      if (node.isComment) {
        const isBelow = commentStart !== undefined && isNextLine(tree.text, last, node.start);
        if (!isBelow) commentStart = node.start;
        last = node.end;
        continue;
      }
      const isAbove = commentStart !== undefined && isNextLine(tree.text, last, node.start);
      const name = node.isNamed ? nameOf(tree, node, 3) : undefined;
      const headings = name === undefined ? level.headings : [...level.headings, name];
      const at = lineStart(tree.text, isAbove ? (commentStart ?? node.start) : node.start);
      if (node.isNamed && at !== undefined) cuts.push({ at, headings });
      commentStart = undefined;
      const members = node.end - node.start > LARGE && headings.length < 4 ? membersOf(node) : undefined;
      if (members !== undefined) open.push({ nodes: members, headings });
    }
  }
  return cuts.sort((one, other) => one.at - other.at);
}

/** Whether only one line end lies between two offsets. */
function isNextLine(text: string, end: number, start: number): boolean {
  const between = text.slice(end, Math.min(start, end + 200));
  return between.trim() === "" && between.split("\n").length <= 2 && start - end <= 200;
}

/** The start of the line whose first non-blank is at `at`; undefined if something precedes it on the line. */
function lineStart(text: string, at: number): number | undefined {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  return isBlank(text, start, at) ? start : undefined;
}

const NAMED = /declar|defin|item|spec|function|class|method|impl|module/;

/** The name of a declaration, which may be nested in an export, a decorator or a template. */
function nameOf(tree: SyntaxTree, node: SyntaxNode, depth: number): string | undefined {
  const name = node.field("name") ?? (node.type === "impl_item" ? node.field("type") : undefined);
  if (name !== undefined) return tree.textOf(name).slice(0, 100);
  const inner = node.field("declarator") ?? node.named.find((child) => NAMED.test(child.type));
  return inner === undefined || depth === 0 ? undefined : nameOf(tree, inner, depth - 1);
}

const BODIES = /body|declaration_list|members/;
const HOLDERS =
  /class|interface|struct|enum|trait|impl|module|namespace|object|record|protocol|extension|export|decorated|template/;

/** The members of a class or namespace. Functions are not split. */
function membersOf(node: SyntaxNode): readonly SyntaxNode[] | undefined {
  if (!HOLDERS.test(node.type)) return undefined;
  const body = node.field("body") ?? node.children.find((child) => BODIES.test(child.type));
  if (body !== undefined) return body.children;
  const inner = node.named.find((child) => HOLDERS.test(child.type));
  return inner && membersOf(inner);
}

/** Turns cuts into blocks that cover all text except blank lines. */
function toBlocks(text: string, cuts: readonly Cut[]): Block[] {
  const blocks: Block[] = [];
  const all = [{ at: 0, headings: [] }, ...cuts];
  for (const [index, { at, headings }] of all.entries()) {
    const next = all[index + 1]?.at ?? text.length;
    if (isBlank(text, at, next)) continue;
    const end = at + text.slice(at, next).trimEnd().length;
    blocks.push({ type: "code", start: at + leadingBlankLines(text, at), end, headings });
  }
  return blocks;
}

function leadingBlankLines(text: string, at: number): number {
  let start = at;
  for (let end = text.indexOf("\n", start); end !== -1 && isBlank(text, start, end); end = text.indexOf("\n", start))
    start = end + 1;
  return start - at;
}
