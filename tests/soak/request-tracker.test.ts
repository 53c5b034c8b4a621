import { describe, expect, test } from "vitest";
import { describeGrowth, type Usage } from "./growth.js";
import { RequestTracker } from "./request-tracker.js";

const correct = () => undefined;

describe("the request tracker", () => {
  test("accepts one correct response to each request", async () => {
    const tracker = new RequestTracker();
    const entry = tracker.open("a", correct);
    entry.answer({ result: {} });
    await entry.settled(1000);
    expect(tracker.failures).toEqual([]);
    expect(tracker.counts).toMatchObject({ requests: 1, answers: 1 });
  });

  test("reports a missing response", async () => {
    const tracker = new RequestTracker();
    await tracker.open("a", correct).settled(1);
    expect(tracker.failures).toEqual(["a: no answer"]);
  });

  test("reports a second response, also to a cancelled request", () => {
    const tracker = new RequestTracker();
    for (const entry of [tracker.open("a", correct), tracker.open("b", correct)]) {
      entry.cancel();
      entry.answer({ result: {} });
      entry.answer({ result: {} });
    }
    expect(tracker.failures).toEqual(["a: answered 2 times", "b: answered 2 times"]);
  });

  test("reports a wrong response", () => {
    const tracker = new RequestTracker();
    tracker.open("a", () => "the answer of another request").answer({ result: 1 });
    expect(tracker.failures).toEqual(['a: the answer of another request in {"result":1}']);
  });

  test("does not wait for cancelled or abandoned requests", async () => {
    const tracker = new RequestTracker();
    const entries = [tracker.open("a", correct), tracker.open("b", correct)];
    entries[0]?.cancel();
    entries[1]?.abandon();
    await Promise.all(entries.map((entry) => entry.settled(1)));
    expect(tracker.failures).toEqual([]);
    expect(tracker.counts.cancels).toBe(1);
  });
});

describe("describeGrowth", () => {
  const MIB = 2 ** 20;
  const usage = (heap: number, descriptors: number): Usage => ({
    "stdio heap": 5 * MIB,
    "stdio descriptors": 20,
    "listening heap": heap,
    "listening descriptors": descriptors,
  });

  test("ignores warm-up and single high values", () => {
    const heaps = [1, 9, 10, 10, 10, 30, 10, 10, 11, 10, 11, 40];
    expect(describeGrowth(heaps.map((heap) => usage(heap * MIB, 20)))).toEqual([]);
  });

  test("reports what grows from round to round", () => {
    const usages = Array.from({ length: 12 }, (_, at) => usage((10 + at) * MIB, 20 + at));
    expect(describeGrowth(usages)).toEqual([
      "listening heap: grew from 13631488 to 20971520",
      "listening descriptors: grew from 23 to 30",
    ]);
  });
});
