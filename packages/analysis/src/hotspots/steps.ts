import { decodeText, type FileAccess, formOf } from "@toolwright/kit/files";
import { type Language, ParseTimeout, parseSource, type SyntaxNode, type SyntaxTree } from "@toolwright/kit/syntax";
import { ANALYZERS } from "../languages/analyzers.js";
import type { FunctionMeasures } from "../metrics/measures.js";
import type { Rules } from "../metrics/rules.js";
import { readSource } from "../project/read-source.js";
import { type Block, blocksOf } from "./blocks.js";
import type { Step } from "./hotspots.js";

/** Says what to take out of a function first; nothing where its file has changed since it was measured. */
export async function stepsOf(
  reach: FileAccess,
  { place, language }: { readonly place: string; readonly language: Language },
  { line, end_line, cognitive }: FunctionMeasures,
  mostBytes: number,
): Promise<readonly Step[]> {
  const { bytes } = await readSource(reach, { place }, mostBytes);
  const form = bytes && formOf(bytes);
  if (bytes === undefined || form === undefined) return [];
  try {
    using tree = await parseSource(language, decodeText(bytes.subarray(form.bomBytes), form.encoding));
    const rules = ANALYZERS[language].metrics;
    const node = functionAt(rules, tree, line, end_line);
    return node === undefined ? [] : chooseSteps(cognitive, blocksOf(rules, tree, node));
  } catch (error) {
    if (error instanceof ParseTimeout) return [];
    throw error;
  }
}

function functionAt(rules: Rules, tree: SyntaxTree, line: number, endLine: number): SyntaxNode | undefined {
  const open = [tree.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.line === line && rules.functionKind(node, tree) !== undefined && tree.endLine(node) === endLine)
      return node;
    for (const child of node.children.toReversed())
      if (child.line <= line && tree.endLine(child) >= line) open.push(child);
  }
  return undefined;
}

/** Above this cognitive complexity SonarSource calls a function too complex; below it nothing needs to be taken out. */
const GOOD = 15;
const MOST_STEPS = 3;

/** A step that leaves one of the two functions nearly as it was is none. */
const LEAST_GAIN = 0.2;

/**
 * Chooses what to take out of a function first: the part after which the worse of the two functions is best. Then the same again
 * with what is left.
 */
export function chooseSteps(cognitive: number, blocks: readonly Block[]): readonly Step[] {
  const steps: Step[] = [];
  let left = cognitive;
  while (left > GOOD && steps.length < MOST_STEPS) {
    const best = bestOf(
      left,
      blocks.filter((block) => steps.every((step) => isApart(step, block))),
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
  const [best] = blocks.toSorted(
    (one, other) => worse(one) - worse(other) || lengthOf(one) - lengthOf(other) || one.line - other.line,
  );
  return best !== undefined && best.takes <= left && worse(best) <= left * (1 - LEAST_GAIN) ? best : undefined;
}

const lengthOf = ({ line, end_line }: Block): number => end_line - line;

const isApart = (one: Pick<Block, "line" | "end_line">, other: Block): boolean =>
  one.end_line < other.line || other.end_line < one.line;

function adviceFor({ what, line, end_line, takes, becomes, jumps }: Block, left: number, leaves: number): string {
  const more = becomes > GOOD ? ", so take it apart in turn" : "";
  const test =
    jumps.length === 0 ? "" : ` It has ${jumps.join(" and ")}: the caller must test the result, which is counted.`;
  return `Extract lines ${line}–${end_line} (${what}): takes away ${takes} of ${left} and leaves ${leaves}; the new function has ${becomes}${more}.${test}`;
}
