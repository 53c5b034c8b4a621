import { expect, it } from "vitest";
import { parseDotnetTest } from "../../../../src/builds/ecosystems/dotnet.js";

it("dotnetTest reads failed tests and the totals of each project", () => {
  const text = `  Failed Tiny.Tests.MathTests.Breaks(x: 1) [12 ms]
  Error Message:
   Assert.Equal() Failure
Expected: 6
Actual:   4
  Stack Trace:
     at Tiny.Tests.MathTests.Breaks(Int32 x) in /p/tests/MathTests.cs:line 12
     at System.RuntimeMethodHandle.InvokeMethod()

Failed!  - Failed:     1, Passed:     2, Skipped:     1, Total:     4, Duration: 20 ms - Tiny.Tests.dll (net8.0)
Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 9 ms - More.Tests.dll (net8.0)
`;
  expect(parseDotnetTest(text)).toEqual({
    failures: [
      {
        file: "/p/tests/MathTests.cs",
        line: 12,
        test: "Tiny.Tests.MathTests.Breaks(x: 1)",
        message: "Assert.Equal() Failure\nExpected: 6\nActual:   4",
        severity: "error",
      },
    ],
    counts: { passed: 5, failed: 1, skipped: 1 },
  });
});

it("dotnetTest knows that no test was run where none matches", () => {
  const text = "No test matches the given testcase filter `FullyQualifiedName~x` in /p/bin/Tiny.dll\n";
  expect(parseDotnetTest(text)).toEqual({ failures: [], counts: { passed: 0, failed: 0, skipped: 0 } });
});
