import { expect, it } from "vitest";
import { parseNodeTest } from "../../../../src/builds/parsers/js-test-parsers.js";

const COUNTS = (sign: string): string =>
  `${sign} tests 4\n${sign} pass 1\n${sign} fail 2\n${sign} cancelled 0\n${sign} skipped 1\n${sign} todo 0\n`;

it("nodeTest reads TAP: the tests that failed themselves, not those above them", () => {
  const text = `TAP version 13
# Subtest: outer
    # Subtest: inner
    not ok 1 - inner
      ---
      location: 'file:///p/a.test.js:5:11'
      failureType: 'testCodeFailure'
      error: |-
        Expected values to be strictly equal:
        
        1 !== 2
        
      code: 'ERR_ASSERTION'
      stack: |-
        TestContext.<anonymous> (file:///p/a.test.js:6:12)
        Test.runInAsyncScope (node:async_hooks:203:9)
      ...
not ok 1 - outer
  ---
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  ...
not ok 2 - later # TODO
not ok 3 - /p/broken.test.js
  ---
  failureType: 'testCodeFailure'
  exitCode: 1
  error: 'test failed'
  ...
ok 4 - sleeps # SKIP
${COUNTS("#")}`;
  expect(parseNodeTest(text)).toEqual({
    failures: [
      {
        file: "/p/a.test.js",
        line: 6,
        column: 12,
        test: "inner",
        message: "Expected values to be strictly equal:\n\n1 !== 2",
        severity: "error",
      },
      { test: "/p/broken.test.js", message: "test failed", severity: "error" },
    ],
    counts: { passed: 1, failed: 2, skipped: 1 },
  });
});

it("nodeTest parses the list of failed tests in the spec format", () => {
  const text = `▶ outer
  ✖ inner (0.7ms)
✖ outer (1.2ms)
${COUNTS("ℹ")}
✖ failing tests:

test at a.test.js:5:11
✖ inner (0.7ms)
  AssertionError [ERR_ASSERTION]: 1 == 2
      at TestContext.<anonymous> (file:///p/a.test.js:6:12)
      at Test.run (node:internal/test_runner/test:1:1)
`;
  expect(parseNodeTest(text)).toEqual({
    failures: [
      {
        file: "/p/a.test.js",
        line: 6,
        column: 12,
        test: "inner",
        message: "AssertionError [ERR_ASSERTION]: 1 == 2",
        severity: "error",
      },
    ],
    counts: { passed: 1, failed: 2, skipped: 1 },
  });
  expect(parseNodeTest("not ok 1 - of another tool")).toEqual({ failures: [] });
});

it("nodeTest does not take a file without tests for a test", () => {
  const none = { failures: [], counts: { passed: 0, failed: 0, skipped: 0 } };
  const tap =
    "TAP version 13\n# Subtest: /p/a b.test.js\nok 1 - /p/a b.test.js\n  ---\n  duration_ms: 9\n  ...\n1..1\n";
  expect(parseNodeTest(`${tap}# pass 1\n# fail 0\n`)).toEqual(none);
  expect(parseNodeTest("✔ test/tiny.js (9.5ms)\nℹ tests 1\nℹ pass 1\nℹ fail 0\n")).toEqual(none);
  expect(parseNodeTest("✔ reads a.js (9.5ms)\nℹ tests 1\nℹ pass 1\n").counts).toMatchObject({ passed: 1 });
});
