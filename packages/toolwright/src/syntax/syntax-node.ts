import type { Node } from "web-tree-sitter";

/** What the nodes of one type have in common. */
export interface NodeKind {
  readonly type: string;
  readonly isNamed: boolean;
  readonly isComment: boolean;
}

/** One node of a syntax tree, with all below it. Offsets count UTF-16 units of the text, lines count from 1. */
export class SyntaxNode {
  /** The name that the grammar has for it; what stands for itself, such as `if`, is named by its text. */
  readonly type: string;
  /** Whether it has a name of its own in the grammar, unlike keywords and punctuation. */
  readonly isNamed: boolean;
  readonly isComment: boolean;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly parent: SyntaxNode | undefined;
  readonly children: readonly SyntaxNode[];
  readonly #source: Node;

  constructor(source: Node, kind: NodeKind, place: Pick<SyntaxNode, "end" | "parent" | "children">) {
    this.#source = source;
    this.type = kind.type;
    this.isNamed = kind.isNamed;
    this.isComment = kind.isComment;
    this.start = source.startIndex;
    this.end = place.end;
    this.line = source.startPosition.row + 1;
    this.parent = place.parent;
    this.children = place.children;
  }

  /** The child that has a role in the grammar, such as `name` or `condition`. */
  field(role: string): SyntaxNode | undefined {
    const id = this.#source.childForFieldName(role)?.id;
    return id === undefined ? undefined : this.children.find((child) => child.#source.id === id);
  }

  /** All children that have a role. */
  fields(role: string): readonly SyntaxNode[] {
    const ids = new Set(this.#source.childrenForFieldName(role).map((child) => child?.id));
    return this.children.filter((child) => ids.has(child.#source.id));
  }

  /** Whether the parser has put it in for something that the text lacks. */
  get isMissing(): boolean {
    return this.start === this.end && this.#source.isMissing;
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
