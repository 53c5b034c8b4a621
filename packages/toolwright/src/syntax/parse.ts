import { type Node, Parser, type Tree } from "web-tree-sitter";
import { grammarOf } from "./grammars.js";
import type { Language } from "./languages.js";
import { SyntaxNode } from "./syntax-node.js";

/** The parser has given up: the text took it too long. */
export class ParseTimeout extends Error {
  override readonly name = "ParseTimeout";
}

/** A text as its grammar sees it. It lives outside the heap: dispose of it. */
export class SyntaxTree implements Disposable {
  readonly text: string;
  readonly language: Language;
  readonly root: SyntaxNode;
  readonly #tree: Tree;
  #lineStarts: readonly number[] | undefined;

  constructor(language: Language, text: string, tree: Tree) {
    this.language = language;
    this.text = text;
    this.#tree = tree;
    this.root = copy(tree);
  }

  textOf(node: SyntaxNode): string {
    return this.text.slice(node.start, node.end);
  }

  /** The line, from 1, in which an offset lies. */
  lineAt(offset: number): number {
    const starts = (this.#lineStarts ??= lineStartsOf(this.text));
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
    return this.lineAt(Math.max(node.start, node.end - 1));
  }

  /** The first node that the grammar does not know what to make of. */
  firstError(): SyntaxNode | undefined {
    return this.#tree.rootNode.hasError ? findError(this.root) : undefined;
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
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() > end });
    if (tree === null) throw new ParseTimeout(`the parser gave up after ${limitMs} ms`);
    return new SyntaxTree(language, text, tree);
  } finally {
    parser.delete();
  }
}

/** Copies the tree once, because every question to the parser's own costs a step out of JavaScript. */
function copy(tree: Tree): SyntaxNode {
  const { language } = tree;
  const root = wrap(tree.rootNode, undefined);
  const open: [SyntaxNode, Node][] = [[root, tree.rootNode]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [parent, source] = next;
    for (const child of source.children) {
      if (child === null) continue;
      const node = wrap(child, parent);
      parent.children.push(node);
      if (child.childCount > 0) open.push([node, child]);
    }
  }
  return root;

  function wrap(source: Node, parent: SyntaxNode | undefined): SyntaxNode {
    const id = source.typeId;
    return new SyntaxNode(source, language.types[id] ?? source.type, language.nodeTypeIsNamed(id), parent);
  }
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
