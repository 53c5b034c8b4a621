import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { currentTime, lookAtClock } from "./clock.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["hrtime"] }));
afterEach(() => void vi.useRealTimers());

test("one look at the clock serves all that happens in a run of code, and the next one looks anew", async () => {
  const first = currentTime();
  vi.advanceTimersByTime(5);
  expect(currentTime()).toBe(first);
  await Promise.resolve();
  expect(currentTime()).toBe(first + 5);
});

test("who looks at the clock looks for all", async () => {
  await Promise.resolve();
  const first = currentTime();
  vi.advanceTimersByTime(5);
  expect(lookAtClock()).toBe(first + 5);
  expect(currentTime()).toBe(first + 5);
  await Promise.resolve();
});
