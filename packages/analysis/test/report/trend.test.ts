import { describe, expect, test } from "vitest";
import { Analysis } from "../../src/analysis.js";
import type { Trend } from "../../src/report/draw-trend.js";
import { readTrend } from "../../src/report/read-trend.js";
import { makeHistory, NOW, type Step } from "../churn/make-history.js";
import { filesFor, makeFolder, workerFile } from "../kit.js";
import { fileOf } from "./sample.js";

const branch = (count: number): string =>
  `export function choose(value: number) {\n${"  if (value > 1) value--;\n".repeat(count)}  return value;\n}\n`;

/** The trend of files of a repository, in which they have the complexity 9 today. */
async function trendOf(
  steps: readonly Step[],
  names: readonly string[],
  { days = 33, folder = "", earlier = {} }: { days?: number; folder?: string; earlier?: Record<string, string[]> } = {},
): Promise<Trend> {
  const root = await makeHistory(steps);
  const state = await makeFolder();
  const analysis = new Analysis({
    settings: { exclude: [], maxFileBytes: 10_000, cache: false, dotPaths: false },
    host: { stateFolder: state, files: filesFor(root, state), now: () => NOW, log: () => undefined },
    threads: { file: await workerFile(), count: 1 },
  });
  const call = { signal: new AbortController().signal, supports: () => false, roots: async () => [] };
  const past = Object.entries(earlier).map(([path, before]) => ({ path, earlier: before }));
  try {
    return await readTrend(analysis, call, {
      path: ".",
      period_days: days,
      files: names.map((name) => fileOf(name, { complexity: 9 })),
      churn: { root: folder === "" ? root : `${root}/${folder}`, files: past as never },
      now: NOW,
    });
  } finally {
    await analysis.close();
  }
}

const valuesOf = ({ files }: Trend): unknown => Object.fromEntries(files.map(({ path, values }) => [path, values]));

describe("a trend", () => {
  test("has twelve points, the last of them today, and a gap where a file was not there", async () => {
    const trend = await trendOf(
      [
        { on: "2031-01-01", put: { "a.ts": branch(1) } },
        { on: "2031-04-14", put: { "a.ts": branch(3), "b.ts": branch(2) } },
        { on: "2031-05-04", drop: ["b.ts"], put: { "a.ts": branch(5) } },
      ],
      ["a.ts", "b.ts"],
    );
    expect(trend.dates).toEqual([
      "2031-04-03",
      "2031-04-06",
      "2031-04-09",
      "2031-04-12",
      "2031-04-15",
      "2031-04-18",
      "2031-04-21",
      "2031-04-24",
      "2031-04-27",
      "2031-04-30",
      "2031-05-03",
      "2031-05-06",
    ]);
    expect(valuesOf(trend)).toEqual({
      "a.ts": [1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 9],
      "b.ts": [undefined, undefined, undefined, undefined, 2, 2, 2, 2, 2, 2, 2, 9],
    });
  });

  test("begins with the history where that is younger than the period", async () => {
    const trend = await trendOf([{ on: "2031-05-05T12:00:00Z", put: { "a.ts": branch(1) } }], ["a.ts"]);
    expect(trend.dates[0]).toBe("2031-05-05 12:00");
    expect(trend.dates.at(-1)).toBe("2031-05-06 12:00");
    expect(valuesOf(trend)).toEqual({ "a.ts": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9] });
  });

  test("knows a file by its earlier names, in a folder too", async () => {
    const trend = await trendOf(
      [
        { on: "2031-01-01", put: { "lib/old-name.ts": branch(4) } },
        { on: "2031-05-04", move: { "lib/old-name.ts": "lib/a.ts" } },
      ],
      ["a.ts"],
      { folder: "lib", earlier: { "a.ts": ["old-name.ts"] } },
    );
    expect(trend.files[0]?.values.slice(0, 2)).toEqual([4, 4]);
  });

  test("follows a file into the folder from outside it", async () => {
    const trend = await trendOf(
      [
        { on: "2031-01-01", put: { "lib/w.ts": branch(4) } },
        { on: "2031-05-04", move: { "lib/w.ts": "app/w.ts" } },
      ],
      ["w.ts"],
      { folder: "app", earlier: { "w.ts": ["../lib/w.ts"] } },
    );
    expect(trend.files[0]?.values.slice(0, 2)).toEqual([4, 4]);
  });

  test("leaves out what is too large, what is not a text file and names that git cannot be asked for", async () => {
    const trend = await trendOf(
      [{ on: "2031-01-01", put: { "large.ts": `// ${"x".repeat(20_000)}\n`, "ok.ts": branch(2) } }],
      ["large.ts", "ok.ts", "line\nbreak.ts", "missing.ts"],
    );
    expect(trend.files.map(({ path, values }) => [path, values[0]])).toEqual([
      ["large.ts", undefined],
      ["ok.ts", 2],
      ["missing.ts", undefined],
    ]);
  });

  test("looks at twenty files at most, and at none that is cold", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `f${index}.ts`);
    const put = Object.fromEntries(names.map((name) => [name, branch(1)]));
    expect((await trendOf([{ on: "2031-01-01", put }], names)).files).toHaveLength(20);
  });
});
