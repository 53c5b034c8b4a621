import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import { readFunctions } from "../metrics/read-functions.js";
import type { MetricRules } from "../metrics/rules.js";

/** A part of a function that could be a function of its own. */
export interface Block {
  /** Such as `the body of the "for"`. */
  readonly what: string;
  readonly line: number;
  readonly end_line: number;
  /** The cognitive complexity that extracting it removes, less the conditions that its jumps require. */
  readonly takes: number;
  /** The cognitive complexity of the new function, without nesting. */
  readonly becomes: number;
  /** The jumps out of it; the caller of the new function needs a condition for each. */
  readonly jumps: readonly Jump[];
}

/** The function is measured again without each part, so the number of parts is limited, more so in a long function. */
const MAX_PARTS = 150;
const MAX_VISITS = 1_000_000;
const MIN_LINES = 3;
const MIN_POINTS = 2;

/** Finds the parts of a function that could be extracted, in the order of the text. */
export function blocksOf(rules: MetricRules, tree: SyntaxTree, root: SyntaxNode): readonly Block[] {
  const total = pointsOf(rules, tree, root);
  return longestParts(rules, tree, root).flatMap(({ node, isBody, level, what, line, end_line }) => {
    const jumps = jumpsOut(rules, tree, root, { node, isBody });
    const takes = total - pointsOf(without(rules, node), tree, root) - jumps.length * (1 + level);
    const becomes = pointsOf(rules, tree, node);
    return takes < MIN_POINTS ? [] : [{ what, line, end_line, takes, becomes, jumps }];
  });
}

interface Part extends Pick<Block, "what" | "line" | "end_line"> {
  readonly node: SyntaxNode;
  readonly isBody: boolean;
  /** The nesting level of a condition in its place. */
  readonly level: number;
}

/** The cognitive complexity of a node as a function. */
function pointsOf(rules: MetricRules, tree: SyntaxTree, node: SyntaxNode): number {
  const [first] = readFunctions(asFunction(rules, node), tree, node);
  return (first?.cognitive ?? []).reduce((all, { adds }) => all + adds, 0);
}

/** The same rules, with a node as a top-level function. */
const asFunction = (rules: MetricRules, part: SyntaxNode): MetricRules => ({
  ...rules,
  isRelevant: (node) => node === part || rules.isRelevant === undefined || rules.isRelevant(node),
  functionKind: (node, tree) => (node === part ? "function" : rules.functionKind(node, tree)),
  isWrapped: (node) => node === part || rules.isWrapped?.(node) === true,
  ownCall(node, tree) {
    if (node === part && rules.functionKind(node, tree) === undefined) return undefined;
    return rules.ownCall === undefined ? rules.nameOf(node, tree) : rules.ownCall(node, tree);
  },
});

/**
 * The same rules, ignoring what is in one node. A function that then only declares others is still measured with them, since they are as
 * hard to follow as before.
 */
function without(rules: MetricRules, { start, end }: SyntaxNode): MetricRules {
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
function longestParts(rules: MetricRules, tree: SyntaxTree, root: SyntaxNode): readonly Part[] {
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
    if (what !== undefined && node !== root && lengthOf(lines) >= MIN_LINES)
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
  const most = Math.min(MAX_PARTS, Math.floor(MAX_VISITS / nodes));
  if (parts.length <= most) return parts;
  const longest = new Set(parts.toSorted((one, other) => lengthOf(other) - lengthOf(one)).slice(0, most));
  return parts.filter((part) => longest.has(part));
}

const lengthOf = ({ line, end_line }: Pick<Part, "line" | "end_line">): number => end_line - line + 1;

function nameOf(rules: MetricRules, tree: SyntaxTree, root: SyntaxNode, node: SyntaxNode): string | undefined {
  if (node !== root && rules.functionKind(node, tree) !== undefined)
    return `the function ${JSON.stringify(rules.nameOf(node, tree) ?? "(anonymous)")}`;
  const counted = rules.cognition(node, tree);
  return counted?.adds === "structure" ? `the ${JSON.stringify(counted.reason)}` : undefined;
}

/** The lines of a node; of a body only its content, without brackets and keywords. */
function linesOf(tree: SyntaxTree, node: SyntaxNode, isBody: boolean): Pick<Part, "line" | "end_line"> {
  const inside = isBody ? node.named : [];
  return { line: (inside[0] ?? node).line, end_line: tree.endLine(inside.at(-1) ?? node) };
}

/** A jump out of a part of a function. If the part is extracted, the caller has to test its result. */
type Jump = "return" | "break" | "continue" | "goto";

const LOOP = /^(?:for|foreach|enhanced_for|while|do|do_while|loop|until|repeat_while)(?:_|$)/;
const SWITCH = /switch_(?:statement|expression)$|^select_statement$/;

interface JumpScope {
  readonly node: SyntaxNode;
  /** Whether the part is the body of a loop: `continue` is then equivalent to a return. */
  readonly isBody: boolean;
}

/** The kinds of jumps out of a part of a function, in the order of the text. */
function jumpsOut(
  rules: MetricRules,
  tree: SyntaxTree,
  root: SyntaxNode,
  { node: whole, isBody }: { readonly node: SyntaxNode; readonly isBody: boolean },
): readonly Jump[] {
  const part = { node: whole, isBody: isBody && LOOP.test(whole.parent?.type ?? "") };
  const jumps = new Set<Jump>();
  const open: { node: SyntaxNode; caught: Caught }[] = [{ node: part.node, caught: {} }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node } = next;
    const jump = jumpOf(tree, node);
    if (jump !== undefined && leaves(tree, jump, node, next.caught, part)) jumps.add(jump);
    const caught = { ...next.caught, ...caughtBy(rules, tree, node, node === part.node && part.isBody) };
    for (const child of node.children.toReversed()) open.push({ node: child, caught });
  }
  if (jumps.has("return") && isLast(rules, tree, root, part.node)) jumps.delete("return");
  return [...jumps];
}

/** The jumps that end inside the part. */
type Caught = Partial<Record<Jump, true>>;

/** In Kotlin a return with a label only ends its lambda. */
const KEYWORD = /^(?:return(?!@)|break|continue|goto|next)/;
const JUMPS =
  /^(?:(?:return|break|continue|goto)_(?:statement|expression)|return|break|next|control_transfer_statement)$/;

function jumpOf(tree: SyntaxTree, node: SyntaxNode): Jump | undefined {
  // The grammar of Kotlin parses jumps as names. They are reserved words, so nothing else has these names.
  const isWord = tree.language === "kotlin" && (node.type === "identifier" || node.type === "label");
  if (!node.isNamed || !(isWord || JUMPS.test(node.type))) return undefined;
  const text = tree.text.slice(node.start, Math.min(node.end, node.start + 12));
  const word = isWord ? /^(?:break|continue)(?=@|$)/.exec(text)?.[0] : KEYWORD.exec(text)?.[0];
  return word === "next" ? "continue" : (word as Jump | undefined);
}

function leaves(
  tree: SyntaxTree,
  jump: Jump,
  node: SyntaxNode,
  caught: Caught,
  { node: part, isBody }: JumpScope,
): boolean {
  const target = targetOf(tree, jump, node);
  if (target === undefined) return caught[jump] !== true;
  if (typeof target === "number") {
    const around = levelsAround(node, part);
    return target > around && !(jump === "continue" && isBody && target === around + 1);
  }
  let above = node.parent;
  for (; above !== undefined && above !== part.parent; above = above.parent)
    if (isLabelled(tree, above, target)) return false;
  // The label of the part itself moves with it. If the part is a loop body, only continuing its loop is a return.
  const loop = isBody ? part.parent : part;
  const isOwn = loop !== undefined && [loop, loop.parent].some((each) => each && isLabelled(tree, each, target));
  return !(isOwn && (!isBody || jump === "continue"));
}

/** The label of a jump, or the number of levels in PHP; undefined = the nearest target. */
function targetOf(tree: SyntaxTree, jump: Jump, node: SyntaxNode): string | number | undefined {
  if (jump === "return") return undefined;
  const text = tree.textOf((node.type === "label" && node.parent) || node);
  const [, label] = /^[a-z]+[\s@]+(['\p{L}\p{N}_$]+)\s*;?$/u.exec(text) ?? [];
  if (label === undefined || tree.language === "ruby") return undefined;
  return /^\d+$/.test(label) ? Number(label) : label;
}

const isLabelled = (tree: SyntaxTree, { start }: SyntaxNode, label: string): boolean =>
  tree.text.startsWith(label, start) &&
  /^\s*[:@]/.test(tree.text.slice(start + label.length, start + label.length + 4));

function levelsAround(node: SyntaxNode, part: SyntaxNode): number {
  let levels = 0;
  for (let above = node.parent; above !== undefined && above !== part.parent; above = above.parent)
    if (LOOP.test(above.type) || SWITCH.test(above.type)) levels += 1;
  return levels;
}

/** The jumps that end in a node. In Kotlin and Ruby a return also leaves the function around a lambda. */
function caughtBy(rules: MetricRules, tree: SyntaxTree, node: SyntaxNode, isBody: boolean): Caught {
  if (isBody) return { continue: true };
  const kind = rules.functionKind(node, tree);
  const isPierced = kind === "lambda" && (tree.language === "kotlin" || tree.language === "ruby");
  if (kind !== undefined) return { break: true, continue: true, ...(!isPierced && { return: true }) };
  if (SWITCH.test(node.type)) return tree.language === "php" ? { break: true, continue: true } : { break: true };
  return LOOP.test(node.type) ? { break: true, continue: true } : {};
}

/** Whether a part is the last one of its function: its caller can then return its result. */
function isLast(rules: MetricRules, tree: SyntaxTree, root: SyntaxNode, part: SyntaxNode): boolean {
  for (let node = part; node !== root; ) {
    const { parent } = node;
    if (parent === undefined || parent.named.at(-1) !== node) return false;
    if (parent !== root && (rules.cognition(parent, tree) ?? rules.functionKind(parent, tree)) !== undefined)
      return false;
    node = parent;
  }
  return true;
}
