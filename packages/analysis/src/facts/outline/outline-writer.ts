import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Declaration } from "../facts.js";
import { signatureOf } from "./signature.js";

/** Where a node lies. */
export interface Scope {
  /** The names of what it lies in. */
  readonly names: readonly string[];
  /** Whether what it lies in can be used from outside. */
  readonly isOpen: boolean;
}

/** What is done with the nodes of one type; types without a handler are passed over with all below them. */
export type Handler = (node: SyntaxNode, writer: OutlineWriter, scope: Scope) => void;

/** What a language declares, by the types of its grammar. */
export type Handlers = Readonly<Record<string, Handler>>;

/** What a declaration is, apart from its place. */
interface Entry {
  readonly kind: Declaration["kind"];
  readonly name: string | undefined;
  readonly isExported: boolean;
  /** From where on nothing is shown: a body or a value. */
  readonly until?: SyntaxNode | undefined;
  /** What is written before the text, where the text alone does not say what it is. */
  readonly before?: string;
}

/** How many declarations of a file are told; a file with more has been made by a program. */
const MOST = 2000;

/** Collects what a file declares, in the order of its text. */
export class OutlineWriter {
  readonly tree: SyntaxTree;
  readonly #found: Declaration[] = [];
  readonly #open: { readonly node: SyntaxNode; readonly scope: Scope }[] = [];
  readonly #exported = new Set<string>();

  constructor(tree: SyntaxTree) {
    this.tree = tree;
  }

  /** Goes through the tree. */
  read(handlers: Handlers): readonly Declaration[] {
    this.#push(this.tree.root, { names: [], isOpen: true });
    for (let next = this.#open.pop(); next !== undefined && this.#found.length < MOST; next = this.#open.pop()) {
      const { node, scope } = next;
      const handler = node.isNamed && Object.hasOwn(handlers, node.type) ? handlers[node.type] : undefined;
      handler?.(node, this, scope);
    }
    return this.#found
      .map((each) => (this.#exported.has(each.name) ? { ...each, isExported: true } : each))
      .sort((a, b) => a.line - b.line);
  }

  /** Tells a declaration. */
  add(node: SyntaxNode, scope: Scope, { kind, name, isExported, until, before = "" }: Entry): void {
    if (name === undefined || name === "") return;
    this.#found.push({
      kind,
      name: [...scope.names, name].join("."),
      signature: `${before}${signatureOf(this.tree, node, until?.start)}`,
      line: node.line,
      end_line: this.tree.endLine(node),
      isExported: isExported && scope.isOpen,
    });
  }

  /** Looks at what is below a node. */
  enter(node: SyntaxNode | undefined, scope: Scope): void {
    if (node !== undefined) this.#push(node, scope);
  }

  /** Says of a name that is declared elsewhere in the file that it can be used from outside. */
  setExported(name: string): void {
    this.#exported.add(name);
  }

  text(node: SyntaxNode | undefined): string | undefined {
    return node === undefined ? undefined : this.tree.textOf(node);
  }

  #push({ children }: SyntaxNode, scope: Scope): void {
    for (let index = children.length - 1; index >= 0; index--)
      this.#open.push({ node: children[index] as SyntaxNode, scope });
  }
}

/** The scope inside something that has a name. */
export const inside = (scope: Scope, name: string | undefined, isOpen = scope.isOpen): Scope => ({
  names: name === undefined ? scope.names : [...scope.names, name],
  isOpen: isOpen && scope.isOpen,
});

/** Passes through what only stands around declarations. */
export const through: Handler = (node, writer, scope) => writer.enter(node, scope);
