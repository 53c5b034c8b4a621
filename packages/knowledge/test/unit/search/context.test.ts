import { expect, test } from "vitest";
import { addContext, contributionOf, liftOf, type WeightedTerm } from "../../../src/search/bm25.js";
import type { IndexRows, Part } from "../../../src/search/views.js";

const partOf = (offset: number, revisions: readonly number[]): Part =>
  ({
    offset,
    columns: {
      rows: revisions.length,
      revision: Float64Array.from(revisions),
      length: Uint32Array.from(revisions, (_, row) => 40 + row),
    },
  }) as unknown as Part;

/** Two segments: one with a document of six passages and one of two, one with a single passage. */
const parts = [partOf(0, [1, 1, 1, 1, 1, 1, 2, 2]), partOf(8, [3])];
const index: IndexRows = { parts, size: 9, rows: 9, averageLength: 45 };

const termIn = (...rows: readonly number[]): WeightedTerm => ({
  term: "t",
  df: rows.length,
  idf: 2,
  weight: 1,
  origin: "query",
  postings: [{ rows: Uint32Array.from(rows), frequencies: Uint16Array.from(rows, () => 2) }, undefined],
});

const liftsOf = (terms: readonly WeightedTerm[]): number[] => {
  const scores = new Float64Array(index.size);
  addContext(index, terms, scores, Uint32Array.from(scores.keys()));
  return Array.from(scores);
};

test("a word counts a little for the three passages on each side, within the document alone", () => {
  const lifts = liftsOf([termIn(5)]);
  const whole = contributionOf({ idf: 2, weight: 1 }, 2, 45, 45);
  expect(lifts.map((lift) => +(lift / whole).toFixed(9))).toEqual([0, 0, 0.3, 0.3, 0.3, 0, 0, 0, 0]);
});

test("a passage that has the word itself gets only what a neighbour has more of it", () => {
  const [first, second] = liftsOf([termIn(6, 7)]).slice(6);
  const shorter = contributionOf({ idf: 2, weight: 1 }, 2, 46, 45);
  const longer = contributionOf({ idf: 2, weight: 1 }, 2, 47, 45);
  expect(first).toBe(0);
  expect(second).toBeCloseTo(0.3 * (shorter - longer), 12);
});

test("what one term gives to one row is what it adds to the row's score", () => {
  const terms = [termIn(0, 3), termIn(1, 5, 6)];
  const lifts = liftsOf(terms);
  for (let row = 0; row < 8; row += 1)
    expect(terms.reduce((sum, term) => sum + liftOf(index, 0, term, row), 0)).toBeCloseTo(lifts[row] ?? -1, 12);
  expect(liftOf(index, 1, terms[0] as WeightedTerm, 0)).toBe(0);
});
