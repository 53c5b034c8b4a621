import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TurnClock } from "../../src/server/runtime.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["hrtime"] }));
afterEach(() => void vi.useRealTimers());

test("the time is cached until the current microtasks have run", async () => {
  const clock = new TurnClock();
  const first = clock.now();
  vi.advanceTimersByTime(5);
  expect(clock.now()).toBe(first);
  await Promise.resolve();
  expect(clock.now()).toBe(first + 5);
});

test("reading the clock updates the cached time", () => {
  const clock = new TurnClock();
  const first = clock.now();
  vi.advanceTimersByTime(5);
  expect(clock.update()).toBe(first + 5);
  expect(clock.now()).toBe(first + 5);
});

test("the clocks of two servers cache different times", () => {
  const [one, other] = [new TurnClock(), new TurnClock()];
  const first = one.now();
  vi.advanceTimersByTime(5);
  expect([one.now(), other.now()]).toEqual([first, first + 5]);
});
