import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Declaration } from "../facts/facts.js";

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

/** How long a signature may be; of a longer one the end is cut off. */
const MOST_CHARACTERS = 180;

/** What is said of a declaration but is no part of how it is used, and what can hold values. */
const LEFT_OUT = new Set([
  "decorator",
  "attribute_list",
  "attribute_item",
  "attribute",
  "annotation",
  "marker_annotation",
  "access_specifier",
]);

/** What functions do is left out, also of those inside a type. */
const BODIES = new Set([
  "statement_block",
  "block",
  "compound_statement",
  "function_body",
  "constructor_body",
  "body_statement",
  "arrow_expression_clause",
]);

const STRINGS = /(?:^|_)(?:string|string_literal|heredoc|nowdoc|regex|char_literal|character_literal)$/;

/** What stands at the end of a text from which the rest was cut. */
const LOOSE_END = /(?:\s|=>|=|\{|:=|:|->|;|\bthen\b)+$/;

/** A declaration on one line, up to its body: no comments, and no text of strings, because they may be secrets. */
export function signatureOf(tree: SyntaxTree, node: SyntaxNode, until: number = node.end): string {
  let [said, last] = ["", node.start];
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.start >= until) continue;
    if (next.isComment || LEFT_OUT.has(next.type) || (next !== node && BODIES.has(next.type))) {
      last = next.end;
      continue;
    }
    const isText = next.isNamed && STRINGS.test(next.type) && next.parent?.type !== "literal_type";
    if (next.children.length > 0 && !isText) {
      for (let index = next.children.length - 1; index >= 0; index--) open.push(next.children[index] as SyntaxNode);
      continue;
    }
    const gap = next.start > last && said !== "" ? " " : "";
    said += `${gap}${isText ? '"…"' : tree.textOf(next).trim()}`;
    last = next.end;
    if (said.length > MOST_CHARACTERS) return `${said.slice(0, MOST_CHARACTERS - 1)}…`;
  }
  return said.replaceAll(/\s+/g, " ").replace(LOOSE_END, "").trim();
}
