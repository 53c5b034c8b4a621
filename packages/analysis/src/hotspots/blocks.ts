import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import { readFunctions } from "../metrics/read-functions.js";
import type { Rules } from "../metrics/rules.js";
import { type Jump, jumpsOut } from "./jumps.js";

/** A part of a function that could be a function of its own. */
export interface Block {
  /** Such as `the body of the "for"`. */
  readonly what: string;
  readonly line: number;
  readonly end_line: number;
  /** How much of the cognitive complexity would go with it, less what the caller needs to follow its jumps. */
  readonly takes: number;
  /** The cognitive complexity of the new function, which no longer lies inside anything. */
  readonly becomes: number;
  /** How it leaves what is around it; the caller of the new function needs a condition for each. */
  readonly jumps: readonly Jump[];
}

/** The function is measured once more without each part, so there is an end to how many are looked at, and in a long one to fewer. */
const MOST_PARTS = 150;
const MOST_VISITS = 1_000_000;
const LEAST_LINES = 3;
const LEAST_POINTS = 2;

/** Finds the parts of a function that could be taken out, in the order of the text. */
export function blocksOf(rules: Rules, tree: SyntaxTree, root: SyntaxNode): readonly Block[] {
  const total = pointsOf(rules, tree, root);
  return longestParts(rules, tree, root).flatMap(({ node, isBody, level, what, line, end_line }) => {
    const jumps = jumpsOut(rules, tree, root, { node, isBody });
    const takes = total - pointsOf(without(rules, node), tree, root) - jumps.length * (1 + level);
    const becomes = pointsOf(rules, tree, node);
    return takes < LEAST_POINTS ? [] : [{ what, line, end_line, takes, becomes, jumps }];
  });
}

interface Part extends Pick<Block, "what" | "line" | "end_line"> {
  readonly node: SyntaxNode;
  readonly isBody: boolean;
  /** How deep a condition would lie that took its place. */
  readonly level: number;
}

/** The cognitive complexity that a node has, or would have as a function. */
function pointsOf(rules: Rules, tree: SyntaxTree, node: SyntaxNode): number {
  const [first] = readFunctions(asFunction(rules, node), tree, node);
  return (first?.cognitive ?? []).reduce((all, { adds }) => all + adds, 0);
}

/** The same rules, to which a node is a function that lies in nothing. */
const asFunction = (rules: Rules, part: SyntaxNode): Rules => ({
  ...rules,
  isSeen: (node) => node === part || rules.isSeen === undefined || rules.isSeen(node),
  functionKind: (node, tree) => (node === part ? "function" : rules.functionKind(node, tree)),
  isWrapped: (node) => node === part || rules.isWrapped?.(node) === true,
  ownCall(node, tree) {
    if (node === part && rules.functionKind(node, tree) === undefined) return undefined;
    return rules.ownCall === undefined ? rules.nameOf(node, tree) : rules.ownCall(node, tree);
  },
});

/**
 * The same rules, blind to what lies in one node. A function that then only declares others is measured with them all the same: they
 * are as hard to follow as before.
 */
function without(rules: Rules, { start, end }: SyntaxNode): Rules {
  const isOut = (node: SyntaxNode): boolean => node.start >= start && node.end <= end;
  return {
    ...rules,
    outerMayDeclare: false,
    cognition: (node, tree) => (isOut(node) ? undefined : rules.cognition(node, tree)),
    logicalOperator: (node, tree) => (isOut(node) ? undefined : rules.logicalOperator(node, tree)),
    calledName: (node, tree) => (isOut(node) ? undefined : rules.calledName(node, tree)),
  };
}

/** The longest parts of a function, in the order of the text. */
function longestParts(rules: Rules, tree: SyntaxTree, root: SyntaxNode): readonly Part[] {
  const parts: Part[] = [];
  let nodes = 0;
  const open: { node: SyntaxNode; what: string | undefined; level: number }[] = [
    { node: root, what: undefined, level: 0 },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, level } = next;
    nodes += 1;
    const counted = rules.cognition(node, tree);
    const what = next.what ?? nameOf(rules, tree, root, node);
    const isBody = next.what !== undefined;
    const lines = linesOf(tree, node, isBody);
    if (what !== undefined && node !== root && lengthOf(lines) >= LEAST_LINES)
      parts.push({ node, isBody, level, what, ...lines });
    const isInner = node !== root && rules.functionKind(node, tree) !== undefined && rules.isWrapped?.(node) !== true;
    for (const child of node.children.toReversed()) {
      const isDeeper = counted?.nests.includes(child) === true;
      open.push({
        node: child,
        what: isDeeper ? `the body of the ${JSON.stringify(counted.reason)}` : undefined,
        level: level + (isDeeper || isInner ? 1 : 0),
      });
    }
  }
  const most = Math.min(MOST_PARTS, Math.floor(MOST_VISITS / nodes));
  if (parts.length <= most) return parts;
  const longest = new Set(parts.toSorted((one, other) => lengthOf(other) - lengthOf(one)).slice(0, most));
  return parts.filter((part) => longest.has(part));
}

const lengthOf = ({ line, end_line }: Pick<Part, "line" | "end_line">): number => end_line - line + 1;

function nameOf(rules: Rules, tree: SyntaxTree, root: SyntaxNode, node: SyntaxNode): string | undefined {
  if (node !== root && rules.functionKind(node, tree) !== undefined)
    return `the function ${JSON.stringify(rules.nameOf(node, tree) ?? "(anonymous)")}`;
  const counted = rules.cognition(node, tree);
  return counted?.adds === "structure" ? `the ${JSON.stringify(counted.reason)}` : undefined;
}

/** Of a body only the lines of what is in it, without those of its brackets and keywords. */
function linesOf(tree: SyntaxTree, node: SyntaxNode, isBody: boolean): Pick<Part, "line" | "end_line"> {
  const inside = isBody ? node.named : [];
  return { line: (inside[0] ?? node).line, end_line: tree.endLine(inside.at(-1) ?? node) };
}
