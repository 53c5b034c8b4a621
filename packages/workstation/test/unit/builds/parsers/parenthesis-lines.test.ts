import { expect, it } from "vitest";
import { parseParenthesisLines } from "../../../../src/builds/parsers/line-parsers.js";

it("parenthesisLines reads tsc, plain and pretty", () => {
  const text = `src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.
src/b.ts:1:5 - error TS1005: ';' expected.
error TS18003: No inputs were found in config file 'tsconfig.json'.
Found 3 errors.`;
  expect(parseParenthesisLines(text).failures).toEqual([
    {
      file: "src/a.ts",
      line: 3,
      column: 7,
      message: "TS2322: Type 'string' is not assignable to type 'number'.",
      severity: "error",
    },
    { file: "src/b.ts", line: 1, column: 5, message: "TS1005: ';' expected.", severity: "error" },
    { message: "TS18003: No inputs were found in config file 'tsconfig.json'.", severity: "error" },
  ]);
});

it("parenthesisLines reads MSBuild once, though it says everything twice", () => {
  const text = `  Determining projects to restore...
/p/App/Program.cs(3,15): error CS1002: ; expected [/p/App/App.csproj]
/p/App/Old.cs(9,1): warning CS0168: The variable 'x' is declared but never used [/p/App/App.csproj::TargetFramework=net8.0]

Build FAILED.

/p/App/Program.cs(3,15): error CS1002: ; expected [/p/App/App.csproj]
MSBUILD : error MSB1003: Specify a project or solution file.
    1 Warning(s)
    1 Error(s)`;
  expect(parseParenthesisLines(text).failures).toEqual([
    { file: "/p/App/Program.cs", line: 3, column: 15, message: "CS1002: ; expected", severity: "error" },
    {
      file: "/p/App/Old.cs",
      line: 9,
      column: 1,
      message: "CS0168: The variable 'x' is declared but never used",
      severity: "warning",
    },
    { file: "MSBUILD", message: "MSB1003: Specify a project or solution file.", severity: "error" },
  ]);
});
