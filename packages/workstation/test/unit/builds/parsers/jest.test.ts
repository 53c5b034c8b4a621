import { expect, it } from "vitest";
import { parseJest } from "../../../../src/builds/parsers/js-test-parsers.js";

const LOG = `PASS src/fine.test.js
FAIL src/tiny.test.js (5.1 s)
  ● tiny › breaks

    expect(received).toBe(expected) // Object.is equality

    Expected: 2
    Received: 1

      3 | test("breaks", () => {
    > 4 |   expect(1).toBe(2);
        |             ^

      at Object.toBe (src/tiny.test.js:4:13)
      at run (node_modules/jest-circus/build/run.js:1:1)

FAIL unit src/broken.test.js
  ● Test suite failed to run

    Cannot find module './none' from 'src/broken.test.js'

Summary of all failing tests
FAIL src/tiny.test.js (5.1 s)
  ● tiny › breaks

    expect(received).toBe(expected) // Object.is equality

Test Suites: 2 failed, 1 passed, 3 total
Tests:       1 failed, 1 skipped, 4 passed, 6 total
`;

it("jest reads each failure once, and the counts", () => {
  expect(parseJest(LOG)).toEqual({
    failures: [
      {
        file: "src/tiny.test.js",
        line: 4,
        column: 13,
        test: "tiny › breaks",
        message: "expect(received).toBe(expected) // Object.is equality\n\nExpected: 2\nReceived: 1",
        severity: "error",
      },
      {
        file: "src/broken.test.js",
        message: "Cannot find module './none' from 'src/broken.test.js'",
        severity: "error",
      },
    ],
    counts: { passed: 4, failed: 1, skipped: 1 },
  });
});

it("jest finds nothing elsewhere", () => {
  expect(parseJest("ok 1 - a\n  ● bullet\n")).toEqual({ failures: [] });
});
