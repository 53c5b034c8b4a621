import type { Halstead } from "./measures.js";

/** What Halstead makes of words: even numbers are operators, odd ones operands. */
export function halstead(words: readonly number[]): Halstead {
  const distinct = new Set(words);
  const operands = words.filter((word) => word % 2 === 1).length;
  let distinctOperands = 0;
  for (const word of distinct) distinctOperands += word % 2;
  return fromCounts(distinct.size - distinctOperands, distinctOperands, words.length - operands, operands);
}

/** Halstead's formulas; where nothing was counted they give nothing. */
function fromCounts(n1: number, n2: number, total1: number, total2: number): Halstead {
  const vocabulary = n1 + n2;
  const volume = vocabulary === 0 ? 0 : (total1 + total2) * Math.log2(vocabulary);
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

const round = (value: number): number => Math.round(value * 100) / 100;
