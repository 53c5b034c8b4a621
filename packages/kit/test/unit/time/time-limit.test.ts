import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { TimeLimit } from "../../../src/time/index.js";

const heard = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve((signal.reason as Error).name)));

test("a time limit aborts when the time is over, and says so", async () => {
  using limit = new TimeLimit(1);
  expect(limit.isOver).toBe(false);
  expect(await heard(limit.signal)).toBe("TimeoutError");
  expect(limit.isOver).toBe(true);
});

test("a time limit aborts with the signal that it was given, for its reason", async () => {
  const outer = new AbortController();
  using limit = new TimeLimit(60_000, outer.signal);
  const reason = heard(limit.signal);
  outer.abort(new RangeError("enough"));
  expect(await reason).toBe("RangeError");
  expect(limit.isOver).toBe(false);
});

test("a time limit of a signal that has aborted already has aborted, too", () => {
  using limit = new TimeLimit(60_000, AbortSignal.abort(new RangeError("enough")));
  expect(limit.signal.reason).toEqual(new RangeError("enough"));
  expect(limit.isOver).toBe(false);
});

test("the limit survives garbage collection if only a listener refers to the signal", async () => {
  const outer = new AbortController();
  const reason = heard(new TimeLimit(100, outer.signal).signal);
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(await reason).toBe("TimeoutError");
});

test("what is over leaves no listener at the signal that it was given", () => {
  const { signal } = new AbortController();
  {
    using limit = new TimeLimit(60_000, signal);
    expect(limit.signal.aborted).toBe(false);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
  }
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  setFlagsFromString("--no-expose-gc");
  collect();
}
