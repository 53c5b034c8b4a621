import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Cognition, Rules } from "../rules.js";
import { flat, isOfPreprocessor, oneOf, structure, textOf, tokenBy } from "./shape.js";

const isLoop = oneOf("for_statement", "for_range_loop", "while_statement", "do_statement");
const isCatch = oneOf("catch_clause", "seh_except_clause");
const isExpression = oneOf("binary_expression", "parenthesized_expression", "unary_expression");
const isParameter = oneOf(
  "parameter_declaration",
  "optional_parameter_declaration",
  "variadic_parameter_declaration",
  "variadic_parameter",
  // The grammar of C++ has no node of its own for it.
  "...",
  "identifier",
);
const LOGICAL = new Set(["&&", "||", "and", "or"]);
const STATEMENTS = new Set(["if", "for", "while", "switch", "catch"]);

/**
 * C. The preprocessor decides before the program runs, so `#if` and what it asks add nothing; the code of every branch is measured,
 * because the text does not say which one is built.
 */
export const C: Rules = {
  functionKind: (node, tree) => (isDefinition(node, tree) ? "function" : undefined),
  nameOf,
  containerName: () => undefined,
  parametersOf: (node, tree) => parametersOf(node, tree).length,
  decision,
  cognition,
  logicalOperator,
  calledName(node, tree) {
    const called = node.type === "call_expression" ? node.field("function") : undefined;
    return called?.type === "identifier" ? tree.textOf(called) : undefined;
  },
  token: tokenBy(oneOf("string_literal", "char_literal", "system_lib_string", "sized_type_specifier", "null")),
};

/** Where a macro has led the grammar astray, it takes `if (a) { … }` for a function and `class EXPORT Stack { … }` for another. */
export function isDefinition(node: SyntaxNode, tree: SyntaxTree): boolean {
  if (node.type !== "function_definition" || !hasBody(node)) return false;
  return declaratorOf(node) !== undefined && misread(node, tree) === undefined;
}

/** The body of `Stack(int size) try : size(size) { … } catch (...) { … }` has no role in the grammar. */
const hasBody = (node: SyntaxNode): boolean =>
  node.field("body") !== undefined || node.children.some(({ type }) => type === "try_statement");

/** The word of a statement that was taken for a function. */
function misread(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  const word = textOf(tree, declaratorOf(node)?.field("declarator"));
  return word !== undefined && STATEMENTS.has(word) ? word : undefined;
}

/** The part of a definition that has its name and parameters: `get(int x)` in `int (*get(int x))(int)`. */
export function declaratorOf(node: SyntaxNode): SyntaxNode | undefined {
  let found: SyntaxNode | undefined;
  for (let part = node.field("declarator"); part !== undefined; part = part.field("declarator") ?? inside(part)) {
    if (part.type === "function_declarator") found = part;
    if (part.type === "operator_cast") return part;
  }
  return found;
}

/** What stands in a declarator that has no role for it. */
function inside(part: SyntaxNode): SyntaxNode | undefined {
  if (part.type === "qualified_identifier") return part.field("name");
  return part.type === "reference_declarator" || part.type === "parenthesized_declarator"
    ? part.named.at(-1)
    : undefined;
}

/** What a function takes; `(void)` is nothing. */
export function parametersOf(node: SyntaxNode, tree: SyntaxTree): readonly SyntaxNode[] {
  const declarator = declaratorOf(node) ?? node.field("declarator");
  const list = declarator?.field("parameters") ?? declarator?.field("declarator")?.field("parameters");
  const parameters = list?.children.filter(isParameter) ?? [];
  const [only] = parameters;
  return parameters.length === 1 && only !== undefined && tree.textOf(only) === "void" ? [] : parameters;
}

function nameOf(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  return textOf(tree, declaratorOf(node)?.field("declarator"));
}

/** Why a node of C or C++ adds to the cyclomatic complexity. */
export function decision(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (node.type === "if_statement") return "if";
  if (node.type === "function_definition") return misread(node, tree);
  if (isLoop(node)) return node.children[0]?.type ?? "loop";
  if (node.type === "case_statement") return node.children[0]?.type === "case" ? "case" : undefined;
  if (isCatch(node)) return node.children[0]?.type ?? "catch";
  return node.type === "conditional_expression" ? "?:" : logicalOperator(node);
}

/** How a node of C or C++ counts for the cognitive complexity. */
export function cognition(node: SyntaxNode): Cognition | undefined {
  if (node.type === "if_statement") {
    const then = node.field("consequence");
    return node.parent?.type === "else_clause" ? flat("else if", then) : structure("if", then);
  }
  if (node.type === "else_clause") {
    const [body] = node.named;
    return body?.type === "if_statement" ? undefined : flat("else", body);
  }
  if (isLoop(node)) return structure(node.children[0]?.type ?? "loop", node.field("body"));
  if (node.type === "switch_statement") return structure("switch", node.field("body"));
  if (isCatch(node)) return structure(node.children[0]?.type ?? "catch", node.field("body"));
  if (node.type === "conditional_expression")
    return structure("?:", node.field("consequence"), node.field("alternative"));
  return node.type === "goto_statement" ? flat("goto") : undefined;
}

/** The operator of a short-circuit expression of C or C++. */
export function logicalOperator(node: SyntaxNode): string | undefined {
  const operator = node.type === "binary_expression" ? node.field("operator")?.type : undefined;
  return operator !== undefined && LOGICAL.has(operator) && !isOfPreprocessor(node, isExpression)
    ? operator
    : undefined;
}
