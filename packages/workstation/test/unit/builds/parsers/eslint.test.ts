import { expect, it } from "vitest";
import { parseEslint } from "../../../../src/builds/parsers/lint-parsers.js";

it("eslint parses the text format", () => {
  const text = `
/p/src/a.js
  1:7   error    'x' is assigned a value but never used  no-unused-vars
  2:10  warning  Unexpected console statement            no-console

/p/src/b.ts
  4:1  error  Parsing error: Unexpected token

✖ 3 problems (2 errors, 1 warning)
  5:1  error  belongs to no file  x
`;
  expect(parseEslint(text).failures).toEqual([
    {
      file: "/p/src/a.js",
      line: 1,
      column: 7,
      message: "'x' is assigned a value but never used (no-unused-vars)",
      severity: "error",
    },
    {
      file: "/p/src/a.js",
      line: 2,
      column: 10,
      message: "Unexpected console statement (no-console)",
      severity: "warning",
    },
    { file: "/p/src/b.ts", line: 4, column: 1, message: "Parsing error: Unexpected token", severity: "error" },
  ]);
});

it("eslint reads JSON, with other lines around it", () => {
  const report = [
    { filePath: "/p/a.js", messages: [{ line: 1, column: 2, message: "No.", severity: 2, ruleId: "no-x" }] },
    { filePath: "/p/b.js", messages: [{ message: "File ignored.", severity: 1, ruleId: null }] },
    { filePath: "/p/c.js", messages: [] },
  ];
  expect(parseEslint(`warned\n${JSON.stringify(report)}\nmore`).failures).toEqual([
    { file: "/p/a.js", line: 1, column: 2, message: "No. (no-x)", severity: "error" },
    { file: "/p/b.js", message: "File ignored.", severity: "warning" },
  ]);
  expect(parseEslint('[{"filePath":"/p/a.js","mess').failures).toEqual([]);
});
