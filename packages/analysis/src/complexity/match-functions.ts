import type { FunctionMeasures } from "../metrics/measures.js";

/** What two states of a function are compared by. */
export type Comparable = Pick<
  FunctionMeasures,
  "name" | "cyclomatic" | "cognitive" | "nesting" | "parameters" | "lines" | "code_lines" | "halstead"
>;

/** The functions of a file before and after: those that are the same, the new ones, and how many are gone. */
export interface Matched<Before extends Comparable, After extends Comparable> {
  readonly pairs: readonly (readonly [before: Before, after: After])[];
  readonly added: readonly After[];
  readonly removed: number;
}

/**
 * Finds out which function was which. They are the same by their names; of several with one name, such as those without any, first
 * the ones that have the same numbers, then the others in their order. What is left was renamed if all that was measured is equal.
 */
export function matchFunctions<Before extends Comparable, After extends Comparable>(
  before: readonly Before[],
  after: readonly After[],
): Matched<Before, After> {
  const left = { before, after };
  const pairs = [
    ...pairUp(left, ({ name, cyclomatic, cognitive }) => `${cyclomatic} ${cognitive} ${name}`),
    ...pairUp(left, ({ name }) => name),
    ...pairUp(left, shapeOf),
  ];
  return { pairs, added: left.after, removed: left.before.length };
}

/** Takes out of what is left those that are alike, in their order. */
function pairUp<Before, After>(
  left: { before: readonly Before[]; after: readonly After[] },
  keyOf: (each: Before | After) => string,
): readonly (readonly [Before, After])[] {
  const waiting = new Map<string, Before[]>();
  for (const each of left.before) {
    const alike = waiting.get(keyOf(each));
    if (alike === undefined) waiting.set(keyOf(each), [each]);
    else alike.push(each);
  }
  const pairs: (readonly [Before, After])[] = [];
  const added: After[] = [];
  for (const each of left.after) {
    const was = waiting.get(keyOf(each))?.shift();
    if (was === undefined) added.push(each);
    else pairs.push([was, each]);
  }
  left.before = [...waiting.values()].flat();
  left.after = added;
  return pairs;
}

/** All that was measured but the name. */
const shapeOf = ({ cyclomatic, cognitive, nesting, parameters, lines, code_lines, halstead }: Comparable): string =>
  JSON.stringify([
    cyclomatic,
    cognitive,
    nesting,
    parameters,
    lines,
    code_lines,
    halstead.operators,
    halstead.operands,
    halstead.distinct_operators,
    halstead.distinct_operands,
  ]);
