import { expect, test } from "vitest";
import { type Fused, lowerRepeats } from "../../../src/search/fuse.js";

const fusedOf = (row: number, score: number): Fused => ({
  row,
  score,
  words: undefined,
  cosine: undefined,
  wordsShare: undefined,
  vectorShare: undefined,
  look: undefined,
});

test("of a section the best passage keeps its score, and the others fall behind what is about as good", () => {
  const fused = [fusedOf(1, 0.9), fusedOf(2, 0.88), fusedOf(3, 0.86), fusedOf(4, 0.85)];
  const passages = new Map([
    [1, { revision: 1, headings: ["A"] }],
    [2, { revision: 1, headings: ["A"] }],
    [3, { revision: 1, headings: [] }],
    [4, { revision: 2, headings: ["A"] }],
  ]);
  const lowered = lowerRepeats(fused, passages, (one, other) => one - other);
  expect(lowered.map(({ row, repeated }) => [row, repeated])).toEqual([
    [1, undefined],
    [3, undefined],
    [4, undefined],
    [2, 0.05],
  ]);
});
