import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";

/**
 * How the syntax of a language counts. The metrics are computed the same way for all languages; this interface has the differences. Each
 * method is called for one node, and looks at that node and those around it.
 */
export interface MetricRules {
  /**
   * A quick check: whether the other methods, except `token`, may have a result for a node of this type. By default they may for any.
   * Most nodes are names and punctuation, for which no other method is called then.
   */
  isRelevant?(node: SyntaxNode): boolean;
  /**
   * Whether a node is a function. A `function` is measured on its own. The decisions of a `lambda` count for the function around it, and it
   * is measured on its own only outside of functions. Signatures without a body are neither.
   */
  functionKind(node: SyntaxNode, tree: SyntaxTree): "function" | "lambda" | undefined;
  /** The unqualified name of a function; undefined = anonymous. */
  nameOf(node: SyntaxNode, tree: SyntaxTree): string | undefined;
  /** The name of a class, module or other container, which qualifies the functions inside; undefined = not a container. */
  containerName(node: SyntaxNode, tree: SyntaxTree): string | undefined;
  /** The number of parameters of a function. */
  parametersOf(node: SyntaxNode, tree: SyntaxTree): number;
  /** Why a node adds one to the cyclomatic complexity, such as "if", "case" or "&&"; undefined = it does not. */
  decision(node: SyntaxNode, tree: SyntaxTree): string | undefined;
  /** How a node counts for the cognitive complexity, except logical operators and recursion; undefined = it does not. */
  cognition(node: SyntaxNode, tree: SyntaxTree): Cognition | undefined;
  /** The operator of a short-circuit expression, such as "&&"; undefined = not such an expression. */
  logicalOperator(node: SyntaxNode, tree: SyntaxTree): string | undefined;
  /** Whether a node between logical operators does not interrupt their sequence; by default only parentheses. */
  isTransparent?(node: SyntaxNode): boolean;
  /** The called name, as far as it is known: `f` for `f()`, `this.f()` and `self.f()`; undefined = not such a call. */
  calledName(node: SyntaxNode, tree: SyntaxTree): string | undefined;
  /** What `calledName` returns for a recursive call of a function, if that is not its name: a method is not called by its name alone. */
  ownCall?(node: SyntaxNode, tree: SyntaxTree): string | undefined;
  /** Whether a nested function is the only content of the one around it, as in Python's decorators: it then adds no nesting level. */
  isWrapped?(node: SyntaxNode): boolean;
  /** Whether a function without control structures only declares the functions inside, which then do not count for it. */
  readonly outerMayDeclare?: boolean;
  /** How a node counts for Halstead: as one token, not at all with everything below it, or ("inside") by what is below it. */
  token(node: SyntaxNode): Token;
}

/** How a node counts for Halstead. */
export type Token = "operator" | "operand" | "nothing" | "inside";

/** How a node counts for the cognitive complexity. */
export interface Cognition {
  /** Its name in explanations. */
  readonly reason: string;
  /** `structure`: one, and one for each nesting level. `flat`: one. `nothing`: it only nests. */
  readonly adds: "structure" | "flat" | "nothing";
  /** The children that are nested one level deeper. */
  readonly nests: readonly SyntaxNode[];
}
