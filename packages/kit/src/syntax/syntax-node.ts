import type { RawNode, RawTree } from "./copy-tree.js";

/** What the nodes of one type have in common. */
export interface NodeKind {
  readonly type: string;
  readonly isNamed: boolean;
  readonly isComment: boolean;
}

/** One node of a syntax tree, with all below it. Offsets count UTF-16 units of the text, lines count from 1. */
export class SyntaxNode implements RawNode {
  /** The name in the grammar; a literal such as `if` is named by its text. */
  readonly type: string;
  /** Whether it has a name of its own in the grammar, unlike keywords and punctuation. */
  readonly isNamed: boolean;
  readonly isComment: boolean;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly parent: SyntaxNode | undefined;
  readonly children: readonly SyntaxNode[];
  readonly id: number;
  readonly column: number;
  readonly alias: number;
  readonly #tree: RawTree;

  /** Its place in the parser's memory is given as the index of its numbers there: there are too many nodes for an object in between. */
  constructor(
    tree: RawTree,
    kind: NodeKind,
    at: number,
    end: number,
    parent: SyntaxNode | undefined,
    children: readonly SyntaxNode[],
  ) {
    const { HEAP32: heap } = tree.binding;
    this.type = kind.type;
    this.isNamed = kind.isNamed;
    this.isComment = kind.isComment;
    this.start = heap[at + 1] as number;
    this.end = end;
    this.line = (heap[at + 2] as number) + 1;
    this.parent = parent;
    this.children = children;
    this.id = heap[at] as number;
    this.column = heap[at + 3] as number;
    this.alias = heap[at + 4] as number;
    this.#tree = tree;
  }

  /** The child that has a role in the grammar, such as `name` or `condition`. */
  field(role: string): SyntaxNode | undefined {
    const id = this.#tree.childOf(this, role);
    return id === undefined ? undefined : this.children.find((child) => child.id === id);
  }

  /** All children that have a role. */
  fields(role: string): readonly SyntaxNode[] {
    const ids = this.#tree.childrenOf(this, role);
    return this.children.filter(({ id }) => ids.has(id));
  }

  /** Whether the parser inserted it for something missing in the text. */
  get isMissing(): boolean {
    return this.start === this.end && this.#tree.isMissing(this);
  }

  /** The children that have a name in the grammar, without comments. */
  get named(): readonly SyntaxNode[] {
    return this.children.filter((child) => child.isNamed && !child.isComment);
  }

  /** The nearest node above that is of one of some types. */
  above(...types: readonly string[]): SyntaxNode | undefined {
    let node = this.parent;
    while (node !== undefined && !types.includes(node.type)) node = node.parent;
    return node;
  }
}
