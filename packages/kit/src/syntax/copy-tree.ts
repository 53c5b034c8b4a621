import type { Language as Grammar, Tree } from "web-tree-sitter";
import { type Binding, NODE_NUMBERS, parserBinding } from "./grammars.js";
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

const kindsByGrammar = new WeakMap<Grammar, readonly NodeKind[]>();

/** The types of a grammar by their numbers. */
function kindsOf(grammar: Grammar): readonly NodeKind[] {
  const kinds =
    kindsByGrammar.get(grammar) ?? grammar.types.map((type, id) => toKind(type, grammar.nodeTypeIsNamed(id)));
  kindsByGrammar.set(grammar, kinds);
  return kinds;
}

const toKind = (type: string, isNamed: boolean): NodeKind => ({ type, isNamed, isComment: type.endsWith("comment") });

/** What the grammar does not know has a number beyond its types. */
const ERROR = toKind("ERROR", true);

/** The values with which the parser finds a node. */
export interface RawNode {
  /** Its number for the node, which no other one has. */
  readonly id: number;
  readonly start: number;
  readonly line: number;
  readonly column: number;
  readonly alias: number;
}

/** A tree of the parser, read without the parser's own classes: those create several objects for each access. */
export class RawTree {
  readonly binding: Binding;
  /** The index in the memory where nodes are passed. */
  readonly at: number;
  readonly address: number;
  readonly #fields: ReadonlyMap<string, number>;

  constructor(tree: Tree) {
    this.binding = parserBinding();
    this.at = this.binding._ts_init() >> 2;
    // The parser's own class keeps it here.
    this.address = (tree as unknown as readonly [number])[0];
    this.#fields = fieldsOf(tree.language);
  }

  /** Passes a node for the next access. */
  put({ id, start, line, column, alias }: RawNode): void {
    const [heap, at] = [this.binding.HEAP32, this.at];
    heap[at] = id;
    heap[at + 1] = start;
    heap[at + 2] = line - 1;
    heap[at + 3] = column;
    heap[at + 4] = alias;
  }

  /** The child that has a role, by its number. */
  childOf(node: RawNode, role: string): number | undefined {
    const field = this.#fields.get(role);
    if (field === undefined) return undefined;
    this.put(node);
    this.binding._ts_node_child_by_field_id_wasm(this.address, field);
    // Zero means none.
    return this.binding.HEAP32[this.at] || undefined;
  }

  /** All children that have a role, by their numbers. */
  childrenOf(node: RawNode, role: string): ReadonlySet<number> {
    const found = new Set<number>();
    const field = this.#fields.get(role);
    if (field === undefined) return found;
    this.put(node);
    this.binding._ts_node_children_by_field_id_wasm(this.address, field);
    const { HEAP32: heap } = this.binding;
    const [count = 0, list = 0] = [heap[this.at], heap[this.at + 1]];
    for (let index = 0; index < count; index++) found.add(heap[(list >> 2) + index * NODE_NUMBERS] ?? 0);
    if (count > 0) this.binding._free(list);
    return found;
  }

  isMissing(node: RawNode): boolean {
    this.put(node);
    return this.binding._ts_node_is_missing_wasm(this.address) === 1;
  }
}

const fieldsByGrammar = new WeakMap<Grammar, ReadonlyMap<string, number>>();

/** The roles of a grammar and their numbers. */
function fieldsOf(grammar: Grammar): ReadonlyMap<string, number> {
  const fields =
    fieldsByGrammar.get(grammar) ?? new Map(grammar.fields.flatMap((role, id) => (role === null ? [] : [[role, id]])));
  fieldsByGrammar.set(grammar, fields);
  return fields;
}

/**
 * What the parser's memory says of a node whose numbers lie at an index of it: asking the parser for each would cost as much as all else
 * that is done with the node. The first number leads to its subtree. A short leaf is held in that itself, in two numbers; all others
 * are at an address that lies there.
 */

/** Where in what a subtree leads to its length in bytes, the count of its children and its symbol are. */
const [BYTES, CHILDREN, SYMBOL] = [4, 9, 10];

/** The number of its type in the grammar. */
function symbolAt(heap: Int32Array, at: number): number {
  const alias = heap[at + 4] as number;
  if (alias !== 0) return alias;
  const first = heap[(heap[at] as number) >> 2] as number;
  return isShort(first) ? (first >> 8) & 0xff : (heap[(first >> 2) + SYMBOL] as number) & 0xffff;
}

/** How many UTF-16 units it is long; the parser counts bytes of them. */
function lengthAt(heap: Int32Array, at: number): number {
  const subtree = (heap[at] as number) >> 2;
  const first = heap[subtree] as number;
  return (isShort(first) ? (heap[subtree + 1] as number) >>> 24 : (heap[(first >> 2) + BYTES] as number)) >> 1;
}

/** Whether it has no children. */
function isLeafAt(heap: Int32Array, at: number): boolean {
  const first = heap[(heap[at] as number) >> 2] as number;
  return isShort(first) || heap[(first >> 2) + CHILDREN] === 0;
}

/** Addresses are even. */
const isShort = (first: number): boolean => (first & 1) === 1;
