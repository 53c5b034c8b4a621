import { type Language as Grammar, type Node, Parser, type Tree } from "web-tree-sitter";
import { grammarOf } from "./grammars.js";
import type { Language } from "./languages.js";
import { plainerTexts } from "./plainer-texts.js";
import { type NodeKind, SyntaxNode } from "./syntax-node.js";

/** The parser has given up: the text took it too long. */
export class ParseTimeout extends Error {
  override readonly name = "ParseTimeout";
}

/** What the parser made of a text, or of a plainer one. */
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
    this.root = copy(tree, text);
  }

  textOf(node: SyntaxNode): string {
    return this.text.slice(node.start, node.end);
  }

  /** The line, from 1, in which an offset lies. */
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

/** Reads a text. Throws `ParseTimeout` where it takes longer than `limitMs`. */
export async function parseSource(language: Language, text: string, limitMs = 5000): Promise<SyntaxTree> {
  const grammar = await grammarOf(language);
  const parser = new Parser();
  try {
    parser.setLanguage(grammar);
    const end = performance.now() + limitMs;
    const read = (source: string): Tree | null =>
      parser.parse(source, null, { progressCallback: () => performance.now() > end });
    const tree = read(text);
    if (tree === null) throw new ParseTimeout(`the parser gave up after ${limitMs} ms`);
    return new SyntaxTree(language, text, tree.rootNode.hasError ? readPlainer(language, text, tree, read) : { tree });
  } finally {
    parser.delete();
  }
}

/** Of a tree with errors and those of plainer texts, the one that makes most of the text. The others are let go. */
function readPlainer(language: Language, text: string, first: Tree, read: (source: string) => Tree | null): Reading {
  let best: Reading & { readonly lost: number } = { tree: first, lost: lostIn(first) };
  for (const plainer of plainerTexts(language, text)) {
    const tree = read(plainer.text);
    if (tree === null) break;
    // What is left out is lost as well, but is mostly not code.
    const lost = lostIn(tree) + plainer.leftOut / 2;
    (lost < best.lost ? best.tree : tree).delete();
    if (lost < best.lost) best = { tree, lost, leftOutLine: plainer.leftOutLine };
  }
  return best;
}

/** Where one of these is missing, all that follows lies in the wrong place. */
const CLOSERS = new Set(["}", ")", "#endif"]);
const LOST_BY_CLOSER = 500;

/** How much of a text lies in what the grammar does not know. */
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

/** Copies the tree once, because every question to the parser's own costs a step out of JavaScript. */
function copy(tree: Tree, text: string): SyntaxNode {
  const kinds = kindsOf(tree.language);
  const open: { source: Node; node: SyntaxNode; children: SyntaxNode[] }[] = [];
  const root = wrap(tree.rootNode, undefined);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { source, node, children } = next;
    for (const child of source.children) if (child !== null && !isPutIn(child)) children.push(wrap(child, node));
  }
  return root;

  /** A plainer text may end a statement where this one does not. */
  function isPutIn(source: Node): boolean {
    return source.type === ";" && source.endIndex > source.startIndex && text[source.startIndex] !== ";";
  }

  function wrap(source: Node, parent: SyntaxNode | undefined): SyntaxNode {
    const kind = kinds[source.typeId] ?? toKind(source.type, source.isNamed);
    const children: SyntaxNode[] = [];
    // A keyword is as long as its name, and has nothing below it.
    const isWord = !kind.isNamed && text.startsWith(kind.type, source.startIndex);
    const end = isWord ? source.startIndex + kind.type.length : source.endIndex;
    const node = new SyntaxNode(source, kind, { end, parent, children });
    if (!isWord) open.push({ source, node, children });
    return node;
  }
}

const known = new WeakMap<Grammar, readonly NodeKind[]>();

/** The types of a grammar by their numbers. */
function kindsOf(grammar: Grammar): readonly NodeKind[] {
  const kinds = known.get(grammar) ?? grammar.types.map((type, id) => toKind(type, grammar.nodeTypeIsNamed(id)));
  known.set(grammar, kinds);
  return kinds;
}

const toKind = (type: string, isNamed: boolean): NodeKind => ({ type, isNamed, isComment: type.endsWith("comment") });

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
