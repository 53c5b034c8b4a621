import type { SyntaxTree } from "../../../syntax/parse.js";
import type { SyntaxNode } from "../../../syntax/syntax-node.js";
import type { Increment } from "./measures.js";
import type { Cognition, Rules } from "./rules.js";

/** What makes a function hard to follow, and how deep its control structures lie in each other. */
interface Cognitive {
  readonly increments: readonly Increment[];
  readonly nesting: number;
}

/** The cognitive complexity as its authors define it. Functions inside a function count in it, one level deeper. */
export function cognitive(rules: Rules, tree: SyntaxTree, root: SyntaxNode): Cognitive {
  const own = new Found();
  const inner = new Found();
  const selfCall = rules.ownCall === undefined ? rules.nameOf(root, tree) : rules.ownCall(root, tree);
  let recurses = false;
  const open: Step[] = [{ node: root, level: 0, structures: 0, found: own }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, level, structures } = next;
    const isInner = node !== root && rules.functionKind(node, tree) !== undefined;
    const found = isInner ? inner : next.found;
    const counted = rules.cognition(node, tree);
    if (counted !== undefined) found.add(node, counted, level, structures);
    for (const reason of sequencesAt(rules, tree, node)) found.increments.push(toIncrement(node, reason, 0));
    if (!recurses && selfCall !== undefined && rules.calledName(node, tree) === selfCall) {
      recurses = true;
      own.increments.push(toIncrement(node, "recursion", 0));
    }
    const isLevel = isInner && rules.isWrapped?.(node) !== true;
    for (const child of node.children) {
      const isDeeper = counted?.nests.includes(child) === true;
      open.push({
        node: child,
        level: level + (isLevel || isDeeper ? 1 : 0),
        structures: isInner ? 0 : structures + (isDeeper ? 1 : 0),
        found,
      });
    }
  }
  if (rules.outerMayDeclare === true && !own.hasStructure) return { increments: own.increments, nesting: own.nesting };
  return { increments: [...own.increments, ...inner.increments], nesting: Math.max(own.nesting, inner.nesting) };
}

/** A node on the way through a function. */
interface Step {
  readonly node: SyntaxNode;
  readonly level: number;
  readonly structures: number;
  readonly found: Found;
}

/** What was found in a function itself, or in those inside it. */
class Found {
  readonly increments: Increment[] = [];
  nesting = 0;
  hasStructure = false;

  add(node: SyntaxNode, { adds, reason, nests }: Cognition, level: number, structures: number): void {
    if (adds !== "nothing") this.increments.push(toIncrement(node, reason, adds === "structure" ? level : 0));
    if (adds === "structure") this.hasStructure = true;
    if (nests.length > 0) this.nesting = Math.max(this.nesting, structures + 1);
  }
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
