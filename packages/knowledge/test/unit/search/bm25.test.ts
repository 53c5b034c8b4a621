import { expect, test } from "vitest";
import { addScores, addScoresOf, frequencyIn, type WeightedTerm } from "../../../src/search/bm25.js";
import type { Postings } from "../../../src/search/postings.js";
import type { IndexRows, Part } from "../../../src/search/views.js";

let state = 11;
const below = (most: number): number => {
  state = (state * 48_271) % 2_147_483_647;
  return state % most;
};

const partOf = (offset: number, rows: number): Part =>
  ({
    offset,
    allowed: new Uint8Array(rows).fill(1),
    columns: { rows, length: Uint32Array.from({ length: rows }, () => 5 + below(90)) },
  }) as unknown as Part;

function postingsOf(rows: number, share: number): Postings {
  const has = Array.from({ length: rows }, (_, row) => row).filter(() => below(100) < share);
  return { rows: Uint32Array.from(has), frequencies: Uint16Array.from(has, () => 1 + below(5)) };
}

const parts = [partOf(0, 700), partOf(700, 1), partOf(701, 900)];
const index: IndexRows = { parts, size: 1601, rows: 1601, averageLength: 50 };
const terms = [0, 1, 20, 99].map(
  (share, at): WeightedTerm => ({
    term: `t${at}`,
    df: 1,
    idf: 1 + at,
    weight: 0.5,
    origin: "expansion",
    postings: parts.map(({ columns }, part) => (part === 1 && at > 1 ? undefined : postingsOf(columns.rows, share))),
  }),
);

test("some rows are given the same scores as all are, and no others", () => {
  const whole = new Float64Array(index.size);
  addScores(index, terms, whole);
  for (const share of [0, 1, 30, 100]) {
    const asked = postingsOf(index.size, share).rows;
    const some = new Float64Array(index.size);
    addScoresOf(index, terms, some, asked);
    const kept = new Set(asked);
    expect(Array.from(some)).toEqual(Array.from(whole, (score, row) => (kept.has(row) ? score : 0)));
  }
  expect(whole.filter((score) => score > 0).length).toBeGreaterThan(1500);
});

test("how often a term is in a row is found wherever the row is", () => {
  const postings = postingsOf(500, 40);
  const counts = new Map(Array.from(postings.rows, (row, place) => [row, postings.frequencies[place]]));
  for (let row = 0; row < 502; row += 1) expect(frequencyIn(postings, row)).toBe(counts.get(row) ?? 0);
});
