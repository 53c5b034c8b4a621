import { Parser, type Tree } from "web-tree-sitter";
import { copyTree } from "./copy-tree.js";
import { grammarOf } from "./grammars.js";
import type { Language } from "./languages.js";
import { simplifyTexts } from "./prepare-source.js";
import type { SyntaxNode } from "./syntax-node.js";

/** The parser has given up: the text took it too long. */
export class ParseTimeout extends Error {
  override readonly name = "ParseTimeout";
}

/** The tree of a text, or of a simplified one. */
interface Reading {
  readonly tree: Tree;
  readonly leftOutLine?: number | undefined;
}

/** A text as its grammar sees it. It lives outside the heap: dispose of it. */
export class SyntaxTree implements Disposable {
  readonly text: string;
  readonly language: Language;
  readonly root: SyntaxNode;
  /** The first line of code that was left out, for the grammar could not have read the text with it. */
  readonly leftOutLine: number | undefined;
  readonly #tree: Tree;
  #lineStarts: readonly number[] | undefined;

  constructor(language: Language, text: string, { tree, leftOutLine }: Reading) {
    this.language = language;
    this.leftOutLine = leftOutLine;
    this.text = text;
    this.#tree = tree;
    this.root = copyTree(tree, text);
  }

  textOf(node: SyntaxNode): string {
    return this.text.slice(node.start, node.end);
  }

  /** The line, from 1, of an offset. */
  lineAt(offset: number): number {
    const starts = this.#starts;
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The last line of a node. */
  endLine(node: SyntaxNode): number {
    const below = this.#starts[node.line];
    return below === undefined || below >= node.end ? node.line : this.lineAt(node.end - 1);
  }

  /** The first node that the grammar does not know what to make of. */
  firstError(): SyntaxNode | undefined {
    return this.#tree.rootNode.hasError ? findError(this.root) : undefined;
  }

  get #starts(): readonly number[] {
    return (this.#lineStarts ??= lineStartsOf(this.text));
  }

  [Symbol.dispose](): void {
    this.#tree.delete();
  }
}

/** Parses a text. Throws `ParseTimeout` if it takes longer than `limitMs`. */
export async function parseSource(language: Language, text: string, limitMs = 5000): Promise<SyntaxTree> {
  const parser = await parserOf(language);
  const end = performance.now() + limitMs;
  const read = (source: string): Tree | null => {
    const tree = parser.parse(source, null, { progressCallback: () => performance.now() > end });
    // Otherwise it would continue this text with the next one.
    if (tree === null) parser.reset();
    return tree;
  };
  const tree = read(text);
  if (tree === null) throw new ParseTimeout(`the parser gave up after ${limitMs} ms`);
  return new SyntaxTree(language, text, tree.rootNode.hasError ? readPlainer(language, text, tree, read) : { tree });
}

const parsers = new Map<Language, Parser>();

/** The parser of a language. It is kept, for what it has set aside to work with serves the next text as well. */
async function parserOf(language: Language): Promise<Parser> {
  const grammar = await grammarOf(language);
  const known = parsers.get(language);
  if (known !== undefined) return known;
  const parser = new Parser().setLanguage(grammar);
  parsers.set(language, parser);
  return parser;
}

/** Of a tree with errors and those of simplified texts, the one that covers most of the text. The others are deleted. */
function readPlainer(language: Language, text: string, first: Tree, read: (source: string) => Tree | null): Reading {
  let best: Reading & { readonly lost: number } = { tree: first, lost: lostIn(first) };
  for (const plainer of simplifyTexts(language, text)) {
    const tree = read(plainer.text);
    if (tree === null) break;
    // Omitted text is lost as well, but is mostly not code.
    const lost = lostIn(tree) + plainer.leftOut / 2;
    (lost < best.lost ? best.tree : tree).delete();
    if (lost < best.lost) best = { tree, lost, leftOutLine: plainer.leftOutLine };
  }
  return best;
}

/** If one of these is missing, all that follows has the wrong parent. */
const CLOSERS = new Set(["}", ")", "#endif"]);
const LOST_BY_CLOSER = 500;

/** How much of a text is inside of errors. */
function lostIn(tree: Tree): number {
  let lost = 0;
  const open = [tree.rootNode];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.isMissing) lost += CLOSERS.has(node.type) ? LOST_BY_CLOSER : 1;
    else if (node.isError) lost += 1 + node.endIndex - node.startIndex;
    else for (const child of node.children) if (child?.hasError) open.push(child);
  }
  return lost;
}

function findError(root: SyntaxNode): SyntaxNode | undefined {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === "ERROR" || node.isMissing) return node;
    for (let index = node.children.length - 1; index >= 0; index--) open.push(node.children[index] as SyntaxNode);
  }
  return undefined;
}

function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
