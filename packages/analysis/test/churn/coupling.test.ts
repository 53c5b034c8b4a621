import { beforeEach, describe, expect, test } from "vitest";
import { makeHistory, stopClock } from "./make-history.js";
import { churnOf } from "./reading.js";

beforeEach(stopClock);

/** A history in which each commit changes the files that a word names by its letters. */
const historyOf = (words: readonly string[], more: Readonly<Record<number, object>> = {}) =>
  makeHistory(
    words.map((word, at) => ({
      on: `2031-05-01T00:00:${String(at).padStart(2, "0")}Z`,
      put: Object.fromEntries(word.split("").map((letter) => [`${letter}.ts`, at + 1])),
      ...more[at],
    })),
  );

describe("files that change together", () => {
  test("are reported from three shared commits, if these are half of the commits of one file", async () => {
    const root = await historyOf([
      "ab",
      "ab",
      "ab",
      "a",
      "a",
      "cd",
      "cd",
      "c",
      "ef",
      "ef",
      "ef",
      "e",
      "f",
      "e",
      "f",
      "e",
      "f",
      "e",
      "f",
    ]);
    expect((await churnOf(root)).coupling).toEqual([{ files: ["a.ts", "b.ts"], together: 3, degree: 100 }]);
  });

  test("come by shared commits, then by degree, then by name", async () => {
    const root = await historyOf(["ab", "ab", "ab", "ab", "a", "b", "cd", "cd", "cd", "xyz", "xyz", "xyz", "x"]);
    expect((await churnOf(root)).coupling).toEqual([
      { files: ["a.ts", "b.ts"], together: 4, degree: 80 },
      { files: ["c.ts", "d.ts"], together: 3, degree: 100 },
      { files: ["x.ts", "y.ts"], together: 3, degree: 100 },
      { files: ["x.ts", "z.ts"], together: 3, degree: 100 },
      { files: ["y.ts", "z.ts"], together: 3, degree: 100 },
    ]);
  });

  test("keep their past under other names", async () => {
    const moved = { put: { "b.ts": 4 }, move: { "a.ts": "z.ts" } };
    const root = await historyOf(["ab", "ab", "ab", "b", "zb"], { 3: moved });
    expect((await churnOf(root)).coupling).toEqual([{ files: ["b.ts", "z.ts"], together: 5, degree: 100 }]);
  });

  test("ignore commits with more than 30 files", async () => {
    const wide = Object.fromEntries(Array.from({ length: 29 }, (_, at) => [`wide-${at}.ts`, 1]));
    const steps = (extra: object) =>
      [1, 2, 3].map((day) => ({ on: `2031-05-0${day}`, put: { ...bump(wide, day), "a.ts": day, ...extra } }));
    const bump = (files: object, by: number) => Object.fromEntries(Object.keys(files).map((name) => [name, by]));
    expect((await churnOf(await makeHistory(steps({})))).coupling).toHaveLength(20);
    const over = steps({}).map(({ on, put }, at) => ({ on, put: { ...put, "b.ts": at + 1 } }));
    expect((await churnOf(await makeHistory(over))).coupling).toEqual([]);
  });
});

describe("the bus factor", () => {
  test("is how few authors hold more than half of the changed lines", async () => {
    const by = (name: string, at: number, files: object) => ({
      on: `2031-05-0${at}`,
      by: `${name} <${name}@example.com>`,
      put: files as Record<string, number>,
    });
    const root = await makeHistory([
      by("Ada", 1, { "a.ts": 50 }),
      by("Bob", 2, { "b.ts": 30 }),
      by("Cem", 3, { "c.ts": 20, "a.ts": 100 }),
    ]);
    const report = await churnOf(root);
    expect(report.ownership).toEqual({
      bus_factor: 2,
      holders: [
        { name: "Ada", percent: 33 },
        { name: "Cem", percent: 47 },
      ].reverse(),
    });
    expect(report.files.map(({ path, bus_factor }) => [path, bus_factor])).toEqual([
      ["a.ts", 2],
      ["b.ts", 1],
      ["c.ts", 1],
    ]);
  });
});
