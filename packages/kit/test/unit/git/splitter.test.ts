import { expect, test } from "vitest";
import { NEWLINE, NUL, Splitter } from "../../../src/git/splitter.js";

function split(pieces: readonly string[], most = 100, enough = Number.POSITIVE_INFINITY): [string, number][] {
  const found: [string, number][] = [];
  const splitter = new Splitter(NUL, most, (record, lost) => {
    found.push([record.toString(), lost]);
    return found.length < enough;
  });
  for (const piece of pieces) if (!splitter.add(Buffer.from(piece))) break;
  splitter.end();
  return found;
}

test("a record may come in several pieces", () => {
  expect(split(["a", "b\0c\0", "\0d"])).toEqual([
    ["ab", 0],
    ["c", 0],
    ["", 0],
    ["d", 0],
  ]);
});

test("of a long record the head is kept, and the lost bytes are counted", () => {
  expect(split(["abc", "def", "gh\0ij\0"], 4)).toEqual([
    ["abcd", 4],
    ["ij", 0],
  ]);
});

test("nothing is given after enough was taken", () => {
  expect(split(["a\0b\0c\0", "d\0e"], 100, 2)).toEqual([
    ["a", 0],
    ["b", 0],
  ]);
});

test("the separator may change between two records", () => {
  const found: string[] = [];
  const splitter = new Splitter(NUL, 100, (record) => {
    found.push(record.toString());
    if (record.length === 0) splitter.separator = NEWLINE;
  });
  splitter.add(Buffer.from("a\nb\0\0c\nd\n"));
  expect(found).toEqual(["a\nb", "", "c", "d"]);
});
