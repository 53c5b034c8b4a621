import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cachedNow, updateNow } from "../../src/server/runtime.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["hrtime"] }));
afterEach(() => void vi.useRealTimers());

test("the time is cached until the current microtasks have run", async () => {
  const first = cachedNow();
  vi.advanceTimersByTime(5);
  expect(cachedNow()).toBe(first);
  await Promise.resolve();
  expect(cachedNow()).toBe(first + 5);
});

test("reading the clock updates the cached time", async () => {
  await Promise.resolve();
  const first = cachedNow();
  vi.advanceTimersByTime(5);
  expect(updateNow()).toBe(first + 5);
  expect(cachedNow()).toBe(first + 5);
  await Promise.resolve();
});
