import type { Halstead } from "./measures.js";

/** Counts words: even numbers are operators, odd ones operands. One for each text, with room for its distinct words. */
export class WordCounts {
  /** In which count each word was met last: functions lie in each other, so that a word is counted often. */
  readonly #metIn: Uint32Array;
  #count = 0;

  constructor(distinct: number) {
    this.#metIn = new Uint32Array(distinct * 2);
  }

  /** What Halstead makes of the words from one to before another. */
  halstead(words: readonly number[], from: number, to: number): Halstead {
    this.#count += 1;
    let [operands, distinct, distinctOperands] = [0, 0, 0];
    for (let at = from; at < to; at++) {
      const word = words[at] ?? 0;
      const isOperand = word % 2;
      operands += isOperand;
      if (this.#metIn[word] === this.#count) continue;
      this.#metIn[word] = this.#count;
      distinct += 1;
      distinctOperands += isOperand;
    }
    return fromCounts(distinct - distinctOperands, distinctOperands, to - from - operands, operands);
  }
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
