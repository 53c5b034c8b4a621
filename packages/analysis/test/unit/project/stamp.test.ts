import type { Stats } from "node:fs";
import { expect, test } from "vitest";
import { isSettled } from "../../../src/project/cache.js";

const changedAt = (mtimeMs: number, ctimeMs = mtimeMs) => ({ mtimeMs, ctimeMs }) as Stats;

test("a file that was changed in the moment before it was read may look the same after the next change", () => {
  expect(isSettled(changedAt(1_000_000.5), 1_000_050)).toBe(false);
  expect(isSettled(changedAt(1_000_000.5), 1_000_200)).toBe(true);
});

test("a file from the future is never sure", () => {
  expect(isSettled(changedAt(2_000_000.5), 1_000_000)).toBe(false);
});

test("a change that keeps the time of the content is seen by the time of the file itself", () => {
  expect(isSettled(changedAt(1.5, 999_990.5), 1_000_000)).toBe(false);
});

test("a clock that only knows whole seconds is waited for longer", () => {
  expect(isSettled(changedAt(1_000_000), 1_001_500)).toBe(false);
  expect(isSettled(changedAt(1_000_000), 1_002_500)).toBe(true);
});
