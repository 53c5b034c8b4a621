import type { Language as Grammar, Tree } from "web-tree-sitter";
import { NODE_NUMBERS } from "./binding.js";
import { isLeafAt, lengthAt, symbolAt } from "./raw-memory.js";
import { RawTree } from "./raw-tree.js";
import { type NodeKind, SyntaxNode } from "./syntax-node.js";

/** Keywords and punctuation have nothing below them. */
const NO_CHILDREN: readonly SyntaxNode[] = [];

/** Copies a tree once, because every question to the parser costs a step out of JavaScript. */
export function copyTree(source: Tree, text: string): SyntaxNode {
  const kinds = kindsOf(source.language);
  const tree = new RawTree(source);
  const { binding, at, address } = tree;
  /** Those whose children are not there yet. */
  const open: SyntaxNode[] = [];
  binding._ts_tree_root_node_wasm(address);
  const root = copyAt(at, undefined) as SyntaxNode;
  for (let node = open.pop(); node !== undefined; node = open.pop()) copyChildren(node, node.children as SyntaxNode[]);
  return root;

  function copyChildren(node: SyntaxNode, children: SyntaxNode[]): void {
    tree.put(node);
    binding._ts_node_children_wasm(address);
    const { HEAP32: heap } = binding;
    const count = heap[at] as number;
    if (count === 0) return;
    const list = heap[at + 1] as number;
    for (let index = 0; index < count; index++) {
      const child = copyAt((list >> 2) + index * NODE_NUMBERS, node);
      if (child !== undefined) children.push(child);
    }
    binding._free(list);
  }

  /** Copies what lies at an index of the memory; undefined for what stands in a plainer text only. */
  function copyAt(from: number, parent: SyntaxNode | undefined): SyntaxNode | undefined {
    const { HEAP32: heap } = binding;
    const start = heap[from + 1] as number;
    const kind = kinds[symbolAt(heap, from)] ?? ERROR;
    // A keyword is as long as its name.
    if (!kind.isNamed && text.startsWith(kind.type, start))
      return new SyntaxNode(tree, kind, from, start + kind.type.length, parent, NO_CHILDREN);
    const end = start + lengthAt(heap, from);
    // A plainer text may end a statement where this one does not.
    if (kind.type === ";" && end > start) return undefined;
    if (isLeafAt(heap, from)) return new SyntaxNode(tree, kind, from, end, parent, NO_CHILDREN);
    const node = new SyntaxNode(tree, kind, from, end, parent, []);
    open.push(node);
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

/** What the grammar does not know has a number beyond its types. */
const ERROR = toKind("ERROR", true);
