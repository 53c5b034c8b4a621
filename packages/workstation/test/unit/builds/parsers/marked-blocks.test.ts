import { expect, it } from "vitest";
import { parseLintBlocks } from "../../../../src/builds/parsers/lint-parsers.js";

it("markedBlocks reads Biome", () => {
  const text = `src/a.ts:3:7 lint/style/useConst  FIXABLE  ━━━━━━━━━━━━━━━━━━━━━━━━━━

  × This let declares a variable that is only assigned once.

    2 │ 
  > 3 │ let a = 1;

src/b.ts:1:1 lint/correctness/noUnusedImports ━━━━━━━━━━

  ! This import is unused.
`;
  expect(parseLintBlocks(text).failures).toEqual([
    {
      file: "src/a.ts",
      line: 3,
      column: 7,
      message: "This let declares a variable that is only assigned once. (lint/style/useConst)",
      severity: "error",
    },
    {
      file: "src/b.ts",
      line: 1,
      column: 1,
      message: "This import is unused. (lint/correctness/noUnusedImports)",
      severity: "warning",
    },
  ]);
});

it("markedBlocks reads oxlint, in both of its alphabets", () => {
  const text = `
  ⚠ eslint(no-unused-vars): Variable 'x' is declared but never used. Unused
  │ variables should start with a '_'.
   ╭─[a.js:1:7]
 1 │ const x = 1;
   ╰────

  x eslint(no-debugger): \`debugger\` statement is not allowed
   ,-[src/b.js:2:1]
`;
  expect(parseLintBlocks(text).failures).toEqual([
    {
      file: "a.js",
      line: 1,
      column: 7,
      message:
        "eslint(no-unused-vars): Variable 'x' is declared but never used. Unused variables should start with a '_'.",
      severity: "warning",
    },
    {
      file: "src/b.js",
      line: 2,
      column: 1,
      message: "eslint(no-debugger): `debugger` statement is not allowed",
      severity: "error",
    },
  ]);
});

it("markedBlocks reads annotations for GitHub", () => {
  const text = `::error title=lint/x,file=/p/a.ts,line=3,endLine=3,col=5,endColumn=6::Do not%0Ado this: it%3A fails
::warning file=b.py,line=1::Old
::notice file=c.py::nothing
::group::build`;
  expect(parseLintBlocks(text).failures).toEqual([
    { file: "/p/a.ts", line: 3, column: 5, message: "Do not\ndo this: it: fails (lint/x)", severity: "error" },
    { file: "b.py", line: 1, message: "Old", severity: "warning" },
  ]);
});
