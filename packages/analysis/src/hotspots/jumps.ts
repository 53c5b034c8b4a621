import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Rules } from "../metrics/rules.js";

/** A way out of a part of a function that a function of its own has not: whoever calls that one has to look at what it gives. */
export type Jump = "return" | "break" | "continue" | "goto";

const LOOP = /^(?:for|foreach|enhanced_for|while|do|do_while|loop|until|repeat_while)(?:_|$)/;
const SWITCH = /switch_(?:statement|expression)$|^select_statement$/;

interface Place {
  readonly node: SyntaxNode;
  /** Whether the part is what a loop repeats: going on with the loop is then no more than a return. */
  readonly isBody: boolean;
}

/** The kinds of jumps that lead out of a part of a function, in the order of the text. */
export function jumpsOut(
  rules: Rules,
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

/** Which jumps find their end before they leave the part. */
type Caught = Partial<Record<Jump, true>>;

/** In Kotlin a return with a label ends but the lambda that it is in. */
const KEYWORD = /^(?:return(?!@)|break|continue|goto|next)/;
const JUMPS =
  /^(?:(?:return|break|continue|goto)_(?:statement|expression)|return|break|next|control_transfer_statement)$/;

function jumpOf(tree: SyntaxTree, node: SyntaxNode): Jump | undefined {
  // The grammar of Kotlin has no jumps: they are names to it, which no name of a program can be.
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
  { node: part, isBody }: Place,
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
  // The label of the part itself goes with it; of a loop whose body the part is, only the next turn is a return.
  const loop = isBody ? part.parent : part;
  const isOwn = loop !== undefined && [loop, loop.parent].some((each) => each && isLabelled(tree, each, target));
  return !(isOwn && (!isBody || jump === "continue"));
}

/** The label that a jump names, or the number of levels in PHP; undefined = the nearest that fits. */
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

/** Which jumps end in a node. In Kotlin and Ruby a return leaves the function around a lambda too. */
function caughtBy(rules: Rules, tree: SyntaxTree, node: SyntaxNode, isBody: boolean): Caught {
  if (isBody) return { continue: true };
  const kind = rules.functionKind(node, tree);
  const isPierced = kind === "lambda" && (tree.language === "kotlin" || tree.language === "ruby");
  if (kind !== undefined) return { break: true, continue: true, ...(!isPierced && { return: true }) };
  if (SWITCH.test(node.type)) return tree.language === "php" ? { break: true, continue: true } : { break: true };
  return LOOP.test(node.type) ? { break: true, continue: true } : {};
}

/** Whether nothing of the function comes after a part: its caller then returns whatever it gives. */
function isLast(rules: Rules, tree: SyntaxTree, root: SyntaxNode, part: SyntaxNode): boolean {
  for (let node = part; node !== root; ) {
    const { parent } = node;
    if (parent === undefined || parent.named.at(-1) !== node) return false;
    if (parent !== root && (rules.cognition(parent, tree) ?? rules.functionKind(parent, tree)) !== undefined)
      return false;
    node = parent;
  }
  return true;
}
