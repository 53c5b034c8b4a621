import { expect, it } from "vitest";
import { parseVitest } from "../../../../src/builds/parsers/js-test-parsers.js";

it("vitest reads failed tests, files that cannot be loaded, and the counts", () => {
  const text = ` RUN  v3.0.0 /p

 ❯ test/tiny.test.ts (2 tests | 1 failed) 5ms
   × tiny > breaks 3ms

⎯⎯⎯⎯⎯⎯ Failed Suites 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  test/broken.test.ts [ test/broken.test.ts ]
Error: Cannot find module './none' imported from '/p/test/broken.test.ts'
 ❯ test/broken.test.ts:1:1

⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  |unit| test/tiny.test.ts > tiny > breaks
AssertionError: expected 1 to be 2 // Object.is equality
 ❯ node_modules/lib/index.js:1:1
 ❯ test/tiny.test.ts:5:13
      4| test("breaks", () => {

⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯

 Test Files  2 failed (2)
      Tests  1 failed | 1 passed | 1 skipped | 1 todo (4)
`;
  expect(parseVitest(text)).toEqual({
    failures: [
      {
        file: "test/broken.test.ts",
        line: 1,
        column: 1,
        message: "Error: Cannot find module './none' imported from '/p/test/broken.test.ts'",
        severity: "error",
      },
      {
        file: "test/tiny.test.ts",
        line: 5,
        column: 13,
        test: "tiny > breaks",
        message: "AssertionError: expected 1 to be 2 // Object.is equality",
        severity: "error",
      },
    ],
    counts: { passed: 1, failed: 1, skipped: 2 },
  });
});
