import { type Language, parseSource, type SyntaxNode, type SyntaxTree } from "@toolwright/kit/syntax";
import { ANALYZERS } from "../languages/analyzers.js";
import type { MetricRules } from "../metrics/rules.js";
import { type Block, blocksOf } from "./blocks.js";
import type { Step } from "./hotspots.js";

/** The lines of a function, and the cognitive complexity that was measured. */
export interface MeasuredRange {
  readonly line: number;
  readonly end_line: number;
  readonly cognitive: number;
}

/** Finds the parts of a function to extract first; none if the text has changed since it was measured. Runs in a worker thread. */
export async function findSteps(
  language: Language,
  text: string,
  { line, end_line, cognitive }: MeasuredRange,
): Promise<readonly Step[]> {
  using tree = await parseSource(language, text);
  const rules = ANALYZERS[language].metrics;
  const node = functionAt(rules, tree, line, end_line);
  return node === undefined ? [] : chooseSteps(cognitive, blocksOf(rules, tree, node));
}

function functionAt(rules: MetricRules, tree: SyntaxTree, line: number, endLine: number): SyntaxNode | undefined {
  const open = [tree.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.line === line && rules.functionKind(node, tree) !== undefined && tree.endLine(node) === endLine)
      return node;
    for (const child of node.children.toReversed())
      if (child.line <= line && tree.endLine(child) >= line) open.push(child);
  }
  return undefined;
}

/** SonarSource calls a function with a higher cognitive complexity too complex. */
const GOOD = 15;
const MAX_STEPS = 3;

/** A step that leaves one of the two functions almost as complex as before is useless. */
const MIN_GAIN = 0.2;

/** Chooses the part to extract first: the one after which the more complex of the two functions is simplest. Repeats with the rest. */
export function chooseSteps(cognitive: number, blocks: readonly Block[]): readonly Step[] {
  const steps: Step[] = [];
  let left = cognitive;
  while (left > GOOD && steps.length < MAX_STEPS) {
    const best = bestOf(
      left,
      blocks.filter((block) => steps.every((step) => isSeparate(step, block))),
    );
    if (best === undefined) break;
    const leaves = left - best.takes;
    const { jumps, ...block } = best;
    steps.push({ ...block, leaves, ...(jumps.length > 0 && { jumps }), advice: adviceFor(best, left, leaves) });
    left = leaves;
  }
  return steps;
}

function bestOf(left: number, blocks: readonly Block[]): Block | undefined {
  const worse = ({ takes, becomes }: Block): number => Math.max(left - takes, becomes);
  const [best] = blocks.toSorted((a, b) => worse(a) - worse(b) || lengthOf(a) - lengthOf(b) || a.line - b.line);
  return best !== undefined && best.takes <= left && worse(best) <= left * (1 - MIN_GAIN) ? best : undefined;
}

const lengthOf = ({ line, end_line }: Block): number => end_line - line;

const isSeparate = (step: Pick<Block, "line" | "end_line">, block: Block): boolean =>
  step.end_line < block.line || block.end_line < step.line;

function adviceFor({ what, line, end_line, takes, becomes, jumps }: Block, left: number, leaves: number): string {
  const more = becomes > GOOD ? ", so split it further" : "";
  const test =
    jumps.length === 0
      ? ""
      : ` It contains ${jumps.join(" and ")}: the caller must test the result, which is included.`;
  return `Extract lines ${line}–${end_line} (${what}): removes ${takes} of ${left}, ${leaves} remain; the new function has ${becomes}${more}.${test}`;
}
