import type { JsonObject } from "@toolwright/engine";
import { expect, test } from "vitest";
import { textOf } from "../../../../tests/support/tool-calls.js";
import { openBench } from "../kit.js";

/** Its cognitive complexity is 34; the body of the inner loop returns, and breaks that loop. */
const FIND = `export function find(rows: number[][], want: number): number {
  for (const row of rows) {
    if (row.length === 0) continue;
    for (const cell of row) {
      if (cell === want) {
        return cell;
      }
      if (cell > 100) {
        if (cell > 200) {
          break;
        }
      } else if (cell < 0) {
        if (want < 0 || cell < -5) {
          return -1;
        }
      }
      for (const x of rows) {
        if (x.length > cell && x.length < want) {
          if (x[0] === 1) return 2;
        }
      }
    }
  }
  return 0;
}
`;

/** The same with lines 5 to 21 in a function of their own, which says by its result how it went. */
const TAKEN_APART = `export function find(rows: number[][], want: number): number {
  for (const row of rows) {
    if (row.length === 0) continue;
    for (const cell of row) {
      const found = look(rows, cell, want);
      if (found === "stop") {
        break;
      }
      if (found !== undefined) {
        return found;
      }
    }
  }
  return 0;
}
function look(rows: number[][], cell: number, want: number): number | "stop" | undefined {
  if (cell === want) {
    return cell;
  }
  if (cell > 100) {
    if (cell > 200) {
      return "stop";
    }
  } else if (cell < 0) {
    if (want < 0 || cell < -5) {
      return -1;
    }
  }
  for (const x of rows) {
    if (x.length > cell && x.length < want) {
      if (x[0] === 1) return 2;
    }
  }
  return undefined;
}
`;

const cognitive = (briefs: unknown) =>
  Object.fromEntries((briefs as JsonObject[]).map((brief) => [brief["function"], brief["cognitive"]]));

test("a step counts what the caller needs to follow the jumps of what is taken out", async () => {
  const before = await openBench({ files: { "a.ts": FIND } });
  const [brief] = (await before.call("analyze_hotspots"))["briefs"] as JsonObject[];
  expect(brief?.["cognitive"]).toBe(34);
  expect(brief?.["steps"]).toMatchObject([
    {
      what: 'the body of the "for"',
      line: 5,
      end_line: 21,
      takes: 23,
      leaves: 11,
      becomes: 15,
      jumps: ["return", "break"],
      advice: expect.stringMatching(
        /It contains return and break: the caller must test the result, which is included\.$/,
      ),
    },
  ]);
  const after = await openBench({ files: { "a.ts": TAKEN_APART } });
  expect(cognitive((await after.call("analyze_hotspots"))["briefs"])).toEqual({ find: 11, look: 15 });
});

test("a test that imports by an alias of the project is among the tests of a function, and the first", async () => {
  const { call } = await openBench({
    files: {
      "tsconfig.json": '{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"] } } }',
      "src/find.ts": FIND,
      "test/a.test.ts": 'import { other } from "../src/find.js";\nother();\n',
      "test/b.test.ts": 'import { find } from "@/find";\nfind([], 1);\n',
      "test/c.test.ts": 'import * as all from "../lib/all.js";\nall.find([], 1);\n',
    },
  });
  const [brief] = (await call("analyze_hotspots"))["briefs"] as JsonObject[];
  expect(brief?.["tests"]).toEqual([
    { path: "test/b.test.ts", by: "imports and calls" },
    { path: "test/a.test.ts", by: "imports" },
    { path: "test/c.test.ts", by: "calls" },
  ]);
});

test("what is simple has no brief, and it is said", async () => {
  const { call } = await openBench({
    files: { "a.ts": FIND, "b.ts": "export const b = (a) => (a ? 1 : 2);\n" },
  });
  const { briefs, remarks } = await call("analyze_hotspots", { functions: 5 });
  expect(cognitive(briefs)).toEqual({ find: 34 });
  expect(remarks).toContain(
    "Only 1 function is worth a brief: the others have a cognitive complexity below 5 and a cyclomatic complexity below 6, or did not change.",
  );
  const whole = await call("analyze_hotspots", { functions: 1 });
  expect(whole["remarks"]).toHaveLength(1);
});

test("names of strangers are text in Markdown", async () => {
  const { client } = await openBench({ files: { "a|<img src=x>`b`.ts": FIND.replace("find(", "$_find_(") } });
  const page = textOf(await client.callTool("analyze_hotspots", { format: "markdown" }));
  expect(page).toContain("| 1 | a\\|\\<img src=x\\>\\`b\\`.ts |");
  expect(page).toContain("## $\\_find\\_ in a\\|\\<img src=x\\>\\`b\\`.ts:1–25");
  expect(page).not.toMatch(/(?<!\\)<img/);
});

test.each(["summary", "markdown", "json"])(
  "the largest result as %s has 40 KB at most, with its text",
  async (format) => {
    const files = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [
        `${"deep/".repeat(8)}file${index}.ts`,
        FIND.replace("find(", `find${index}(`),
      ]),
    );
    const { client } = await openBench({ files });
    const result = await client.callTool("analyze_hotspots", { functions: 20, top: 100, format });
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(40_000);
    expect((result["structuredContent"] as JsonObject)["left_out"]).toMatch(
      /^Left out to limit the size: files \d+ to 100 and \d+ briefs\. Analyze fewer files to see them\.$/,
    );
  },
);
