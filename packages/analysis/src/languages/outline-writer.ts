import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Declaration } from "../facts/facts.js";

/** The scope of a node. */
export interface Scope {
  /** The names of its containers. */
  readonly names: readonly string[];
  /** Whether its containers are exported. */
  readonly isExported: boolean;
}

/** Handles the nodes of one type. Types without a handler are ignored with everything below them. */
export type Handler = (node: SyntaxNode, writer: OutlineWriter, scope: Scope) => void;

/** The handlers of a language, by node type. */
export type Handlers = Readonly<Record<string, Handler>>;

/** A declaration without its location. */
interface Entry {
  readonly kind: Declaration["kind"];
  readonly name: string | undefined;
  readonly isExported: boolean;
  /** The body or value, which is not shown. */
  readonly until?: SyntaxNode | undefined;
  /** The keyword, if it is not a part of the node. */
  readonly before?: string;
}

/** The limit of declarations. Only generated files have more. */
const MAX_DECLARATIONS = 2000;

/** Collects the declarations of a file, in the order of the text. */
export class OutlineWriter {
  readonly tree: SyntaxTree;
  readonly #found: Declaration[] = [];
  readonly #open: { readonly node: SyntaxNode; readonly scope: Scope }[] = [];
  readonly #exported = new Set<string>();

  constructor(tree: SyntaxTree) {
    this.tree = tree;
  }

  /** Visits the tree. */
  read(handlers: Handlers): readonly Declaration[] {
    this.#push(this.tree.root, { names: [], isExported: true });
    for (
      let next = this.#open.pop();
      next !== undefined && this.#found.length < MAX_DECLARATIONS;
      next = this.#open.pop()
    ) {
      const { node, scope } = next;
      const handler = node.isNamed && Object.hasOwn(handlers, node.type) ? handlers[node.type] : undefined;
      handler?.(node, this, scope);
    }
    return this.#found
      .map((each) => (this.#exported.has(each.name) ? { ...each, isExported: true } : each))
      .sort((a, b) => a.line - b.line);
  }

  /** Adds a declaration. */
  add(node: SyntaxNode, scope: Scope, { kind, name, isExported, until, before = "" }: Entry): void {
    if (name === undefined || name === "") return;
    this.#found.push({
      kind,
      name: [...scope.names, name].join("."),
      signature: `${before}${signatureOf(this.tree, node, until?.start)}`,
      line: node.line,
      end_line: this.tree.endLine(node),
      isExported: isExported && scope.isExported,
    });
  }

  /** Visits the children of a node. */
  enter(node: SyntaxNode | undefined, scope: Scope): void {
    if (node !== undefined) this.#push(node, scope);
  }

  /** Marks a name that is declared elsewhere in the file as exported. */
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

/** The scope inside a container. */
export const inside = (scope: Scope, name: string | undefined, isExported = scope.isExported): Scope => ({
  names: name === undefined ? scope.names : [...scope.names, name],
  isExported: isExported && scope.isExported,
});

/** Enters a node that only contains declarations. */
export const through: Handler = (node, writer, scope) => writer.enter(node, scope);

/** The length of a signature; the rest is cut off. */
const MAX_CHARACTERS = 180;

/** Parts of a declaration that are not needed to use it, or that can contain values. */
const LEFT_OUT = new Set([
  "decorator",
  "attribute_list",
  "attribute_item",
  "attribute",
  "annotation",
  "marker_annotation",
  "access_specifier",
]);

/** Bodies are left out, also those of functions in a type. */
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

/** Tokens that introduce the body. */
const LOOSE_END = /(?:\s|=>|=|\{|:=|:|->|;|\bthen\b)+$/;

/** A declaration on one line, up to its body. Comments and the text of strings, which can be secrets, are left out. */
function signatureOf(tree: SyntaxTree, node: SyntaxNode, until: number = node.end): string {
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
    if (said.length > MAX_CHARACTERS) return `${said.slice(0, MAX_CHARACTERS - 1)}…`;
  }
  return said.replaceAll(/\s+/g, " ").replace(LOOSE_END, "").trim();
}
