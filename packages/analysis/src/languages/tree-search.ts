import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Import } from "../facts/facts.js";

/** Reads the imports of the files of one language. */
export type ImportReader = (tree: SyntaxTree) => readonly Import[];

/** Goes through a tree in the order of the text; what `see` says false of is not entered. */
export function visit(root: SyntaxNode, see: (node: SyntaxNode) => boolean): void {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!see(node)) continue;
    for (let index = node.children.length - 1; index >= 0; index--) open.push(node.children[index] as SyntaxNode);
  }
}

/** The nodes of some types, in the order of the text; what is found is entered too. */
export function all(root: SyntaxNode, ...types: readonly string[]): SyntaxNode[] {
  const [found, wanted] = [[] as SyntaxNode[], new Set(types)];
  visit(root, (node) => {
    if (wanted.has(node.type) && node.isNamed) found.push(node);
    return true;
  });
  return found;
}

const QUOTES = new Set(['"', "'", "`"]);

/** What a string says; undefined where it is made up of parts. */
export function spoken(tree: SyntaxTree, node: SyntaxNode | undefined): string | undefined {
  if (node === undefined || !/string/.test(node.type)) return undefined;
  const text = tree.textOf(node);
  const [first = "", last = ""] = [text[0], text.at(-1)];
  const isPlain = QUOTES.has(first) && first === last && text.length > 2 && !/\$\{|#\{|\\|\n/.test(text);
  return isPlain ? text.slice(1, -1) : undefined;
}

/** The names below a node that look like types, each once. */
export function typeNames(tree: SyntaxTree, ...types: readonly string[]): string[] {
  const names = new Set<string>();
  for (const node of all(tree.root, ...types)) {
    const name = tree.textOf(node);
    if (/^\p{Lu}/u.test(name)) names.add(name);
  }
  return [...names];
}

/** The types that a file names, as an import of what needs none. */
export const unsaid = (names: readonly string[]): Import[] =>
  names.length === 0 ? [] : [{ from: "*", line: 1, names }];

/** An import of a dotted name; `.*` at its end where all of a package is taken. */
export function dotted(tree: SyntaxTree, node: SyntaxNode, types: readonly string[]): Import {
  const name = node.named.find(({ type }) => types.includes(type));
  const text = name === undefined ? "" : tree.textOf(name).replaceAll(/\s/g, "");
  const isAll = /\*\s*;?\s*$/.test(tree.textOf(node));
  return { from: isAll ? `${text}.*` : text, line: node.line };
}
