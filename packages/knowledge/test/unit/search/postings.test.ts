import fc from "fast-check";
import { expect, test } from "vitest";
import { PostingsWriter, readPostings } from "../../../src/search/postings.js";

test("what is written is read again, however terms come in turns", () => {
  const entry = fc.record({ term: fc.nat(40), gap: fc.nat(100_000), frequency: fc.integer({ min: 1, max: 60_000 }) });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 300 }), (entries) => {
      const writer = new PostingsWriter();
      const expected = new Map<number, [row: number, frequency: number][]>();
      let row = -1;
      for (const { term, gap, frequency } of entries) {
        row += gap + 1;
        writer.add(term, row, frequency);
        expected.set(term, [...(expected.get(term) ?? []), [row, frequency]]);
      }
      for (const [term, pairs] of expected) {
        const { rows, frequencies } = readPostings(writer.take(term));
        expect([...rows]).toEqual(pairs.map(([each]) => each));
        expect([...frequencies]).toEqual(pairs.map(([, each]) => each));
      }
    }),
  );
});

test("neighbouring rows that have a term once take a byte each", () => {
  const writer = new PostingsWriter();
  for (let row = 0; row < 10; row += 1) writer.add(2000, row, 1);
  expect([...writer.take(2000)]).toEqual(Array.from({ length: 10 }, () => 2));
});
