import { expect, test } from "vitest";
import { severityOf, thresholdsOf } from "../../../src/complexity/violations.js";

test("default thresholds are 20 and 10, 30 and 15", () => {
  expect(thresholdsOf({})).toEqual({
    cyclomatic: { error: 20, warning: 10 },
    cognitive: { error: 30, warning: 15 },
  });
});

test("a given one is for errors, three quarters of it for warnings, and at least 1", () => {
  expect(thresholdsOf({ max_cyclomatic: 20, max_cognitive: 7 })).toEqual({
    cyclomatic: { error: 20, warning: 15 },
    cognitive: { error: 7, warning: 5 },
  });
  expect(thresholdsOf({ max_cyclomatic: 1 }).cyclomatic).toEqual({ error: 1, warning: 1 });
});

test("only what is above a threshold is bad", () => {
  const threshold = { warning: 10, error: 20 };
  expect([10, 11, 20, 21].map((value) => severityOf(value, threshold))).toEqual([
    undefined,
    "warning",
    "warning",
    "error",
  ]);
});
