import { expect, test } from "vitest";
import { readFacts } from "../../../src/facts/read-facts.js";
import { complexityScore, fileComplexity, hotspotScore, toShares } from "../../../src/hotspots/rank-files.js";

test.each([
  [0, 0],
  [10, 0.1667],
  [50, 0.5],
  [100, 0.6667],
  [450, 0.9],
])("a complexity of %i scores %f", (complexity, score) => {
  expect(complexityScore(complexity)).toBe(score);
});

test.each([
  [50, 1, 50],
  [50, 0.5, 25],
  [450, 1, 90],
  [450, 0, 0],
  [0, 1, 0],
  [100, undefined, 66.67],
])("a complexity of %i with a churn of %s scores %f", (complexity, churn, score) => {
  expect(hotspotScore(complexity, churn)).toBe(score);
});

test.each([
  ["function a() { if (b) c(); }\nfunction d() { if (b) c(); }", 2],
  // Counts in the outer one, one level deeper.
  ["function a() {\n if (b) c();\n return () => {\n  if (b) c();\n };\n}", 3],
  // The outer one only declares.
  ["function a() {\n return () => {\n  if (b) c();\n };\n}", 1],
  ["const a = 1;", 0],
])("the complexity of %j is counted once", async (text, complexity) => {
  const { measures } = await readFacts("typescript", text, ["measures"]);
  expect(fileComplexity(measures?.functions ?? [])).toBe(complexity);
});

test("shares are those of all, the most first, and a name counts once", () => {
  expect(
    toShares([
      ["Bob", 1],
      ["Ada", 2],
      ["Bob", 1],
      ["Ada", 4],
    ]),
  ).toEqual([
    { name: "Ada", share: 0.75 },
    { name: "Bob", share: 0.25 },
  ]);
  expect(toShares([])).toEqual([]);
});
