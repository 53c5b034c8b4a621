import { expect, it } from "vitest";
import { parseMocha } from "../../../../src/builds/parsers/js-test-parsers.js";

it("mocha reads the numbered list and the counts", () => {
  const text = `
  tiny
    ✔ holds
    1) breaks
    - sleeps

  1 passing (8ms)
  1 pending
  2 failing

  1) tiny
       breaks:

      AssertionError [ERR_ASSERTION]: 1 == 2
      + expected - actual

      -1
      +2

      at Context.<anonymous> (test/tiny.js:5:12)
      at process.processImmediate (node:internal/timers:1:1)

  2) "before all" hook in "deep":
     Error: no database
      at Context.<anonymous> (file:///p/test/deep.mjs:2:9)
`;
  expect(parseMocha(text)).toEqual({
    failures: [
      {
        file: "test/tiny.js",
        line: 5,
        column: 12,
        test: "tiny breaks",
        message: "AssertionError [ERR_ASSERTION]: 1 == 2\n+ expected - actual\n\n-1\n+2",
        severity: "error",
      },
      {
        file: "/p/test/deep.mjs",
        line: 2,
        column: 9,
        test: '"before all" hook in "deep"',
        message: "Error: no database",
        severity: "error",
      },
    ],
    counts: { passed: 1, failed: 2, skipped: 1 },
  });
  expect(parseMocha("  1) a list\n  2) of things\n")).toEqual({ failures: [] });
});
