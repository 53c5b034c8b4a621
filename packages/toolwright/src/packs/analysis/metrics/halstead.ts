import type { SyntaxTree } from "../../../syntax/parse.js";
import type { SyntaxNode } from "../../../syntax/syntax-node.js";
import type { Halstead } from "./measures.js";
import type { Rules } from "./rules.js";

/** Counts operators and operands below a node, and what Halstead makes of them. */
export function halstead(rules: Rules, tree: SyntaxTree, root: SyntaxNode): Halstead {
  const operators = new Map<string, number>();
  const operands = new Map<string, number>();
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const token = rules.token(node);
    if (token === "inside") open.push(...node.children);
    else if (token !== "nothing") {
      const counts = token === "operator" ? operators : operands;
      const text = tree.textOf(node);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  return fromCounts(operators.size, operands.size, sum(operators), sum(operands));
}

/** Halstead's formulas; where nothing was counted they give nothing. */
export function fromCounts(n1: number, n2: number, total1: number, total2: number): Halstead {
  const words = n1 + n2;
  const volume = words === 0 ? 0 : (total1 + total2) * Math.log2(words);
  const difficulty = n2 === 0 ? 0 : (n1 / 2) * (total2 / n2);
  return {
    distinct_operators: n1,
    distinct_operands: n2,
    operators: total1,
    operands: total2,
    volume: round(volume),
    difficulty: round(difficulty),
    effort: round(volume * difficulty),
  };
}

const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((all, each) => all + each, 0);

const round = (value: number): number => Math.round(value * 100) / 100;
