import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Rules } from "./rules.js";

/** The sequences of like operators that begin in an expression: `a && b && c` is one, `a && b || c` are two. */
export function sequencesAt(rules: Rules, tree: SyntaxTree, node: SyntaxNode): readonly string[] {
  if (rules.logicalOperator(node, tree) === undefined || isPartOfSequence(rules, tree, node)) return [];
  const operators = operatorsIn(rules, tree, node);
  return operators.filter((operator, index) => operator !== operators[index - 1]);
}

function isPartOfSequence(rules: Rules, tree: SyntaxTree, node: SyntaxNode): boolean {
  let { parent } = node;
  while (parent !== undefined && isTransparent(rules, parent)) ({ parent } = parent);
  return parent !== undefined && rules.logicalOperator(parent, tree) !== undefined;
}

/** The operators of an expression as they are read. Generated ones have thousands, so nothing here calls itself. */
function operatorsIn(rules: Rules, tree: SyntaxTree, root: SyntaxNode): readonly string[] {
  const operators: string[] = [];
  const open: (SyntaxNode | string)[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "string") {
      operators.push(next);
      continue;
    }
    const operator = rules.logicalOperator(next, tree);
    const parts = isTransparent(rules, next) ? next.named : operator === undefined ? [] : next.children;
    for (const part of parts.toReversed()) open.push(part.type === operator ? part.type : part);
  }
  return operators;
}

const isTransparent = (rules: Rules, node: SyntaxNode): boolean =>
  rules.isTransparent?.(node) ?? node.type === "parenthesized_expression";
