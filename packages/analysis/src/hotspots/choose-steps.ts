import type { Block } from "./blocks.js";
import type { Step } from "./hotspots.js";

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
