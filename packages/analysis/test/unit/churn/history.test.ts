import { NUL, Splitter } from "@toolwright/kit/git";
import { describe, expect, test } from "vitest";
import { type HistoryCommit, HistoryReader } from "../../../src/churn/git-log.js";

const HASH = "1".repeat(40);
const raw = (letter: string): string => `:100644 100644 ${HASH} ${HASH} ${letter}`;

/** What is read of some records, which come in pieces of so many bytes. */
function commitsOf(records: readonly string[], size = 1 << 20): HistoryCommit[] {
  const bytes = Buffer.from(records.map((record) => `${record}\0`).join(""));
  const commits: HistoryCommit[] = [];
  const reader = new HistoryReader((commit) => void commits.push(commit));
  const splitter = new Splitter(NUL, 64 * 1024, (record) => reader.read(record));
  for (let at = 0; at < bytes.length; at += size) splitter.add(bytes.subarray(at, at + size));
  reader.end();
  return commits;
}

const TWO = [
  [`@${HASH}`, "1000", "2222", "Ann|Bee", "ann@x", "@subject: 1\t2\tx"],
  [`\n${raw("R087")}`, "@old", ":new", raw("A"), "1\t2\tx", raw("M"), "mode-only", raw("M"), "logo"],
  ["3\t4\t", "@old", ":new", "5\t0\t1\t2\tx", "-\t-\tlogo"],
  [`@${HASH}`, "900", "22 33", "Bob", "bob@x", ""],
].flat();

describe("the reader of a history", () => {
  test("reads commits and what they change, whatever names look like", () => {
    const change = { from: undefined, additions: 0, deletions: 0 };
    expect(commitsOf(TWO)).toEqual([
      {
        hash: HASH,
        time: 1000,
        isMerge: false,
        author: "Ann|Bee",
        address: "ann@x",
        subject: "@subject: 1\t2\tx",
        changes: [
          { letter: 82, name: ":new", from: "@old", additions: 3, deletions: 4 },
          { ...change, letter: 65, name: "1\t2\tx", additions: 5 },
          { ...change, letter: 77, name: "mode-only" },
          { ...change, letter: 77, name: "logo" },
        ],
      },
      { hash: HASH, time: 900, isMerge: true, author: "Bob", address: "bob@x", subject: "", changes: [] },
    ]);
  });

  test("reads the same wherever the pieces are cut", () => {
    const whole = commitsOf(TWO);
    for (let size = 1; size < 40; size += 1) expect(commitsOf(TWO, size)).toEqual(whole);
  });

  test("keeps names that are no UTF-8 apart", () => {
    const commits: HistoryCommit[] = [];
    const reader = new HistoryReader((commit) => void commits.push(commit));
    for (const field of [`@${HASH}`, "1", "", "A", "a@x", "s"]) reader.read(Buffer.from(field));
    for (const byte of [0xff, 0xfe]) {
      reader.read(Buffer.from(raw("M")));
      reader.read(Buffer.of(byte));
    }
    reader.end();
    expect(commits[0]?.changes.map(({ name }) => name)).toEqual(["\u00ff", "\u00fe"]);
  });

  test("gives nothing where nothing came", () => {
    expect(commitsOf([])).toEqual([]);
  });
});
