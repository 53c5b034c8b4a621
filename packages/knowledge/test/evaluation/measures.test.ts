import { describe, expect, test } from "vitest";
import { average, measure } from "../../src/evaluation/ask-questions.js";

const HIT = [0];
const NONE: readonly number[] = [];

describe("measures against numbers worked out by hand", () => {
  test("one relevant thing on rank 3", () => {
    expect(measure({ found: [NONE, NONE, HIT, NONE], grades: [1] })).toEqual({
      "recall@1": 0,
      "recall@5": 1,
      "recall@10": 1,
      "recall@20": 1,
      "precision@5": 0.2,
      "precision@10": 0.1,
      mrr: 1 / 3,
      // 1 / log2(4) against 1 / log2(2)
      "ndcg@10": 0.5,
    });
  });

  test("three relevant things on ranks 1, 4 and 12", () => {
    const found = [[0], NONE, NONE, [1], ...Array.from({ length: 7 }, () => NONE), [2]];
    const measures = measure({ found, grades: [1, 1, 1] });
    expect(measures["recall@1"]).toBeCloseTo(1 / 3, 10);
    expect(measures["recall@5"]).toBeCloseTo(2 / 3, 10);
    expect(measures["recall@10"]).toBeCloseTo(2 / 3, 10);
    expect(measures["recall@20"]).toBe(1);
    expect(measures["precision@5"]).toBe(0.4);
    expect(measures["precision@10"]).toBe(0.2);
    expect(measures.mrr).toBe(1);
    // (1 + 1 / log2(5)) / (1 + 1 / log2(3) + 1 / log2(4)) = 1.430677 / 2.130930
    expect(measures["ndcg@10"]).toBeCloseTo(0.671386, 5);
  });

  test("grades count in the gain: the better thing later costs", () => {
    // (1 + 7 / log2(3)) / (7 + 1 / log2(3)) = 5.416508 / 7.630930
    expect(measure({ found: [[1], [0]], grades: [3, 1] })["ndcg@10"]).toBeCloseTo(0.70981, 5);
  });

  test("a thing that is found twice counts once in recall and gain, and twice in precision", () => {
    const measures = measure({ found: [HIT, HIT], grades: [1, 1] });
    expect([measures["recall@5"], measures["precision@5"]]).toEqual([0.5, 0.4]);
    // 1 / (1 + 1 / log2(3))
    expect(measures["ndcg@10"]).toBeCloseTo(0.613147, 5);
  });

  test("nothing found is 0 everywhere, and means are those of all questions", () => {
    const nothing = measure({ found: [], grades: [1] });
    expect(Object.values(nothing)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    const all = measure({ found: [HIT], grades: [1] });
    expect(average([nothing, all])).toMatchObject({ "recall@1": 0.5, mrr: 0.5, "ndcg@10": 0.5, "precision@5": 0.1 });
    expect(average([])["recall@10"]).toBe(0);
  });
});
