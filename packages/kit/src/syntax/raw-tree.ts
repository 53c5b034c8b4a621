import type { Language as Grammar, Tree } from "web-tree-sitter";
import { type Binding, NODE_NUMBERS, parserBinding } from "./binding.js";

/** What the parser needs to find a node again. */
export interface RawNode {
  /** Its number for the node, which no other one has. */
  readonly id: number;
  readonly start: number;
  readonly line: number;
  readonly column: number;
  readonly alias: number;
}

/** A tree of the parser, asked without the parser's own classes: those make several objects for each question. */
export class RawTree {
  readonly binding: Binding;
  /** Where a node goes in and out: an index of the memory. */
  readonly at: number;
  readonly address: number;
  readonly #fields: ReadonlyMap<string, number>;

  constructor(tree: Tree) {
    this.binding = parserBinding();
    this.at = this.binding._ts_init() >> 2;
    // Here the parser's own class keeps it.
    this.address = (tree as unknown as readonly [number])[0];
    this.#fields = fieldsOf(tree.language);
  }

  /** Puts a node where the next question is about it. */
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
    // Zero stands for none.
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

const known = new WeakMap<Grammar, ReadonlyMap<string, number>>();

/** The roles of a grammar and their numbers. */
function fieldsOf(grammar: Grammar): ReadonlyMap<string, number> {
  const fields =
    known.get(grammar) ?? new Map(grammar.fields.flatMap((role, id) => (role === null ? [] : [[role, id]])));
  known.set(grammar, fields);
  return fields;
}
