import type { SyntaxTree } from "../../../syntax/parse.js";
import type { SyntaxNode } from "../../../syntax/syntax-node.js";
import type { Increment } from "./measures.js";
import type { Rules } from "./rules.js";

/** What makes a function hard to follow, and how deep its control structures lie in each other. */
interface Cognitive {
  readonly increments: readonly Increment[];
  readonly nesting: number;
}

/** The cognitive complexity as its authors define it. Functions inside a function count in it, one level deeper. */
export function cognitive(rules: Rules, tree: SyntaxTree, root: SyntaxNode): Cognitive {
  const increments: Increment[] = [];
  const own = rules.nameOf(root, tree);
  let deepest = 0;
  let recurses = false;
  const open: { node: SyntaxNode; level: number; structures: number }[] = [{ node: root, level: 0, structures: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, level, structures } = next;
    const isInner = node !== root && rules.functionKind(node) !== undefined;
    const counted = rules.cognition(node, tree);
    if (counted !== undefined && counted.adds !== "nothing")
      increments.push(toIncrement(node, counted.reason, counted.adds === "structure" ? level : 0));
    for (const reason of sequencesAt(rules, tree, node)) increments.push(toIncrement(node, reason, 0));
    if (!recurses && own !== undefined && rules.calledName(node, tree) === own) {
      recurses = true;
      increments.push(toIncrement(node, "recursion", 0));
    }
    if (counted !== undefined && counted.nests.length > 0) deepest = Math.max(deepest, structures + 1);
    for (const child of node.children) {
      const isDeeper = counted?.nests.includes(child) === true;
      open.push({
        node: child,
        level: level + (isInner || isDeeper ? 1 : 0),
        structures: isInner ? 0 : structures + (isDeeper ? 1 : 0),
      });
    }
  }
  return { increments, nesting: deepest };
}

const toIncrement = (node: SyntaxNode, reason: string, nesting: number): Increment => ({
  metric: "cognitive",
  line: node.line,
  adds: 1 + nesting,
  reason,
  ...(nesting > 0 && { nesting }),
});

/** The sequences of like operators that begin in an expression: `a && b && c` is one, `a && b || c` are two. */
function sequencesAt(rules: Rules, tree: SyntaxTree, node: SyntaxNode): readonly string[] {
  if (rules.logicalOperator(node, tree) === undefined || isPartOfSequence(rules, tree, node)) return [];
  const operators: string[] = [];
  collect(rules, tree, node, operators);
  return operators.filter((operator, index) => operator !== operators[index - 1]);
}

function isPartOfSequence(rules: Rules, tree: SyntaxTree, node: SyntaxNode): boolean {
  let { parent } = node;
  while (parent !== undefined && isParenthesised(parent)) ({ parent } = parent);
  return parent !== undefined && rules.logicalOperator(parent, tree) !== undefined;
}

/** The operators of an expression as they are read. */
function collect(rules: Rules, tree: SyntaxTree, given: SyntaxNode, operators: string[]): void {
  let node = given;
  while (isParenthesised(node)) {
    const [inside] = node.named;
    if (inside === undefined) return;
    node = inside;
  }
  const operator = rules.logicalOperator(node, tree);
  if (operator === undefined) return;
  const [left, right] = [node.named[0], node.named.at(-1)];
  if (left !== undefined) collect(rules, tree, left, operators);
  operators.push(operator);
  if (right !== undefined) collect(rules, tree, right, operators);
}

const isParenthesised = ({ type }: SyntaxNode): boolean => type === "parenthesized_expression";
