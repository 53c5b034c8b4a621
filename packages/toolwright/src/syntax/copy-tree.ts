import type { Language as Grammar, Tree } from "web-tree-sitter";
import { NODE_NUMBERS } from "./binding.js";
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
  const open: { readonly node: SyntaxNode; readonly children: SyntaxNode[] }[] = [];
  binding._ts_tree_root_node_wasm(address);
  const root = copyAt(at, undefined) as SyntaxNode;
  for (let next = open.pop(); next !== undefined; next = open.pop()) copyChildren(next.node, next.children);
  return root;

  function copyChildren(node: SyntaxNode, children: SyntaxNode[]): void {
    tree.put(node);
    binding._ts_node_children_wasm(address);
    const { HEAP32: heap } = binding;
    const [count = 0, list = 0] = [heap[at], heap[at + 1]];
    if (count === 0) return;
    for (let index = 0; index < count; index++) {
      const child = copyAt((list >> 2) + index * NODE_NUMBERS, node);
      if (child !== undefined) children.push(child);
    }
    binding._free(list);
  }

  /** Copies what lies at an index of the memory; undefined for what stands in a plainer text only. */
  function copyAt(from: number, parent: SyntaxNode | undefined): SyntaxNode | undefined {
    const { HEAP32: heap } = binding;
    const raw = {
      id: heap[from] ?? 0,
      start: heap[from + 1] ?? 0,
      line: (heap[from + 2] ?? 0) + 1,
      column: heap[from + 3] ?? 0,
      alias: heap[from + 4] ?? 0,
    };
    tree.put(raw);
    const kind = kinds[binding._ts_node_symbol_wasm(address)] ?? ERROR;
    // A keyword is as long as its name.
    if (!kind.isNamed && text.startsWith(kind.type, raw.start))
      return new SyntaxNode(kind, raw, { end: raw.start + kind.type.length, parent, children: NO_CHILDREN, tree });
    const end = binding._ts_node_end_index_wasm(address);
    // A plainer text may end a statement where this one does not.
    if (kind.type === ";" && end > raw.start) return undefined;
    const children: SyntaxNode[] = [];
    const node = new SyntaxNode(kind, raw, { end, parent, children, tree });
    open.push({ node, children });
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
