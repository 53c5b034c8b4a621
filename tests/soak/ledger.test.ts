import { describe, expect, test } from "vitest";
import { Ledger } from "./ledger.js";
import { growth, type Rest } from "./verdict.js";

const right = () => undefined;

describe("the ledger of a soak", () => {
  test("finds nothing wrong with one right answer to each request", async () => {
    const ledger = new Ledger();
    const entry = ledger.open("a", right);
    entry.answer({ result: {} });
    await entry.over(1000);
    expect(ledger.wrongs).toEqual([]);
    expect(ledger.counts).toMatchObject({ requests: 1, answers: 1 });
  });

  test("finds an answer that does not come", async () => {
    const ledger = new Ledger();
    await ledger.open("a", right).over(1);
    expect(ledger.wrongs).toEqual(["a: no answer"]);
  });

  test("finds a second answer, also to what was cancelled", () => {
    const ledger = new Ledger();
    for (const entry of [ledger.open("a", right), ledger.open("b", right)]) {
      entry.cancel();
      entry.answer({ result: {} });
      entry.answer({ result: {} });
    }
    expect(ledger.wrongs).toEqual(["a: answered 2 times", "b: answered 2 times"]);
  });

  test("finds the answer of another", () => {
    const ledger = new Ledger();
    ledger.open("a", () => "the answer of another request").answer({ result: 1 });
    expect(ledger.wrongs).toEqual(['a: the answer of another request in {"result":1}']);
  });

  test("waits for nothing that was cancelled or cut off", async () => {
    const ledger = new Ledger();
    const entries = [ledger.open("a", right), ledger.open("b", right)];
    entries[0]?.cancel();
    entries[1]?.cutOff();
    await Promise.all(entries.map((entry) => entry.over(1)));
    expect(ledger.wrongs).toEqual([]);
    expect(ledger.counts.cancels).toBe(1);
  });
});

describe("growth", () => {
  const MIB = 2 ** 20;
  const rest = (heap: number, descriptors: number): Rest => ({
    "stdio heap": 5 * MIB,
    "stdio descriptors": 20,
    "listening heap": heap,
    "listening descriptors": descriptors,
  });

  test("is not what warms up, nor one high value among others", () => {
    const heaps = [1, 9, 10, 10, 10, 30, 10, 10, 11, 10, 11, 40];
    expect(growth(heaps.map((heap) => rest(heap * MIB, 20)))).toEqual([]);
  });

  test("is what gets more from round to round", () => {
    const rests = Array.from({ length: 12 }, (_, at) => rest((10 + at) * MIB, 20 + at));
    expect(growth(rests)).toEqual([
      "listening heap: grew from 13631488 to 20971520",
      "listening descriptors: grew from 23 to 30",
    ]);
  });
});
