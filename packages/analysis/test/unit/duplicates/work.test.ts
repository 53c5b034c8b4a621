import { expect, test } from "vitest";
import { runInTurns, type Work } from "../../../src/duplicates/repeats.js";

function* forever(): Work<never> {
  for (;;) yield;
}

function* count(steps: number): Work<number> {
  let done = 0;
  for (; done < steps; done++) yield;
  return done;
}

test("work gives what it leads to", async () => {
  expect(await runInTurns(count(1000), new AbortController().signal)).toBe(1000);
});

test("whatever else is to be done gets its turn, and can stop the work", async () => {
  const stop = new AbortController();
  setImmediate(() => stop.abort(new Error("enough")));
  await expect(runInTurns(forever(), stop.signal)).rejects.toThrow("enough");
});
