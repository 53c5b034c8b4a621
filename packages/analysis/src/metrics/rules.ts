import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";

/**
 * How the syntax of one language counts. The metrics are computed the same way for all; what differs is here. Each is asked of
 * one node at a time and looks at that node and those around it.
 */
export interface Rules {
  /**
   * Whether a node is of a type that one of the others below may say something of, but for `token`; undefined = any may be. Most nodes
   * are names and punctuation, of which nothing else needs to be asked then.
   */
  isSeen?(node: SyntaxNode): boolean;
  /**
   * Whether a node is a function. One of kind `function` is measured on its own; the decisions of a `lambda` belong to the
   * function around it, and only one outside any function is measured on its own. Signatures without a body are neither.
   */
  functionKind(node: SyntaxNode, tree: SyntaxTree): "function" | "lambda" | undefined;
  /** The name of a function without what it lies in; undefined = it has none. */
  nameOf(node: SyntaxNode, tree: SyntaxTree): string | undefined;
  /** The name of a class, module or the like, if the node is one: it goes before the names of functions inside. */
  containerName(node: SyntaxNode, tree: SyntaxTree): string | undefined;
  /** How many parameters a function takes. */
  parametersOf(node: SyntaxNode, tree: SyntaxTree): number;
  /** Why a node adds one to the cyclomatic complexity, such as "if", "case" or "&&"; undefined = it adds nothing. */
  decision(node: SyntaxNode, tree: SyntaxTree): string | undefined;
  /** How a node counts for the cognitive complexity; undefined = it does not. Logical operators and recursion are not its task. */
  cognition(node: SyntaxNode, tree: SyntaxTree): Cognition | undefined;
  /** The operator of a short-circuit expression, such as "&&"; undefined = the node is none. */
  logicalOperator(node: SyntaxNode, tree: SyntaxTree): string | undefined;
  /** Whether a node is only looked through when operators are told in sequence; parentheses are, if nothing else is said. */
  isTransparent?(node: SyntaxNode): boolean;
  /** The name that a call calls, as far as it can be told: `f` for `f()`, `this.f()` and `self.f()`; undefined = the node is no such call. */
  calledName(node: SyntaxNode, tree: SyntaxTree): string | undefined;
  /** The name that `calledName` gives where a function calls itself, if that is not its own name: a method is not called by its name alone. */
  ownCall?(node: SyntaxNode, tree: SyntaxTree): string | undefined;
  /** Whether an inner function is all that the one around it is for, as in Python's decorators: it then lies no level deeper. */
  isWrapped?(node: SyntaxNode): boolean;
  /** Whether a function without control structures of its own only declares those inside it, which then count for themselves alone. */
  readonly outerMayDeclare?: boolean;
  /** What a node is for Halstead: counted as one, passed over with all below it, or ("inside") told by what is below it. */
  token(node: SyntaxNode): Token;
}

/** What a node is for Halstead's counts. */
export type Token = "operator" | "operand" | "nothing" | "inside";

/** How a node counts for the cognitive complexity. */
export interface Cognition {
  /** What it is called in explanations. */
  readonly reason: string;
  /** `structure`: one, and one more for each level that it lies in. `flat`: one. `nothing`: it only nests. */
  readonly adds: "structure" | "flat" | "nothing";
  /** The children that lie one level deeper. */
  readonly nests: readonly SyntaxNode[];
}
