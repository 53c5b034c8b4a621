import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Import } from "../facts/facts.js";

/** Visits a tree in the order of the text. Nodes for which `enter` returns false are not entered. */
export function visit(root: SyntaxNode, enter: (node: SyntaxNode) => boolean): void {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!enter(node)) continue;
    for (let index = node.children.length - 1; index >= 0; index--) open.push(node.children[index] as SyntaxNode);
  }
}

/** Finds the nodes of some types, in the order of the text, also inside each other. */
export function findAll(root: SyntaxNode, ...types: readonly string[]): SyntaxNode[] {
  const [found, wanted] = [[] as SyntaxNode[], new Set(types)];
  visit(root, (node) => {
    if (wanted.has(node.type) && node.isNamed) found.push(node);
    return true;
  });
  return found;
}

const QUOTES = new Set(['"', "'", "`"]);

/** The value of a plain string literal; undefined for other nodes. */
export function stringValue(tree: SyntaxTree, node: SyntaxNode | undefined): string | undefined {
  if (node === undefined || !/string/.test(node.type)) return undefined;
  const text = tree.textOf(node);
  const [first = "", last = ""] = [text[0], text.at(-1)];
  const isPlain = QUOTES.has(first) && first === last && text.length > 2 && !/\$\{|#\{|\\|\n/.test(text);
  return isPlain ? text.slice(1, -1) : undefined;
}

/** The names in a tree that look like types, each once. */
export function typeNames(tree: SyntaxTree, ...types: readonly string[]): string[] {
  const names = new Set<string>();
  for (const node of findAll(tree.root, ...types)) {
    const name = tree.textOf(node);
    if (/^\p{Lu}/u.test(name)) names.add(name);
  }
  return [...names];
}

/** The types that a file mentions, as an import of what needs none. */
export const implicitImport = (names: readonly string[]): Import[] =>
  names.length === 0 ? [] : [{ from: "*", line: 1, names }];

/** An import of a dotted name, ending with `.*` for a whole package. */
export function dotted(tree: SyntaxTree, node: SyntaxNode, types: readonly string[]): Import {
  const name = node.named.find(({ type }) => types.includes(type));
  const text = name === undefined ? "" : tree.textOf(name).replaceAll(/\s/g, "");
  const isAll = /\*\s*;?\s*$/.test(tree.textOf(node));
  return { from: isAll ? `${text}.*` : text, line: node.line };
}
