import { expect, test } from "vitest";
import { compareFiles } from "../../src/duplicates/find-duplicates.js";
import { readFacts } from "../../src/facts/read-facts.js";
import { PATHS, TOTAL } from "./sources.js";

const fileOf = async (path: string, text: string) => {
  const { tokens } = await readFacts("typescript", text, ["tokens"]);
  if (tokens === undefined) throw new Error("no tokens");
  return { path, displayPath: path, realPath: path, language: "typescript", origin: "own", facts: { tokens } } as const;
};

test("among a thousand files that are alike each copy is counted once", async () => {
  const [copy, other] = [await fileOf("copy.ts", TOTAL), await fileOf("other.ts", PATHS)];
  const files = Array.from({ length: 1000 }, (_, index) => ({
    ...(index % 10 === 0 ? copy : other),
    path: `${String(index).padStart(4, "0")}.ts`,
  }));
  const found = await compareFiles(files, {}, new AbortController().signal);
  expect(found.groups.map(({ copies, lines }) => [copies.length, lines])).toEqual([
    [900, 13],
    [100, 9],
  ]);
  expect(found).toMatchObject({ files: 1000, lines: 900 * 11 + 100 * 9, percent: 100 });
});

test("one long table, all of whose rows are alike, is gone through in one go", async () => {
  const table = await fileOf("table.ts", `export const rows = [${"[0, 0, 0, 0],\n".repeat(4000)}];`);
  const { groups, percent } = await compareFiles([table], {}, new AbortController().signal);
  expect(groups.length).toBeGreaterThan(0);
  expect(percent).toBeGreaterThan(80);
});

test("two files that are the same from end to end are one group", async () => {
  const text = `${TOTAL}\n${PATHS}`.repeat(50);
  const [one, two] = [await fileOf("one.ts", `const one = 1;\n${text}`), await fileOf("two.ts", `let two;\n${text}`)];
  const { groups } = await compareFiles([one, two], {}, new AbortController().signal);
  expect(groups[0]).toMatchObject({
    kind: "exact",
    copies: [
      { path: "one.ts", line: 2 },
      { path: "two.ts", line: 2 },
    ],
  });
});
