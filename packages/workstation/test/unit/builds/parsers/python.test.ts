import { expect, it } from "vitest";
import { parsePytest, parseUnittest } from "../../../../src/builds/ecosystems/python.js";

it("pytest reads where a test broke, in which file it could not be collected, and the counts", () => {
  const text = `============================= test session starts ==============================
==================================== ERRORS ====================================
______________________ ERROR collecting tests/test_bad.py ______________________
tests/test_bad.py:1: in <module>
    import none
E   ModuleNotFoundError: No module named 'none'
=================================== FAILURES ===================================
_______________________________ test_sum[1-2] __________________________________
tests/test_sum.py:7: in test_sum
    check(a, b)
tests/common.py:3: in check
    assert a == b
E   assert 1 == 2
E    +  where 1 = int()
----------------------------- Captured stdout call -----------------------------
E   not of the test
=========================== short test summary info ============================
FAILED tests/test_sum.py::test_sum[1-2] - assert 1 == 2
ERROR tests/test_bad.py
FAILED tests/test_new.py::TestA::test_b - ValueError: a - b
========= 2 failed, 3 passed, 1 skipped, 1 xfailed, 1 error in 0.12s (0:00:01) =========
`;
  expect(parsePytest(text)).toEqual({
    failures: [
      {
        file: "tests/common.py",
        line: 3,
        test: "tests/test_sum.py::test_sum[1-2]",
        message: "assert 1 == 2\n +  where 1 = int()",
        severity: "error",
      },
      { file: "tests/test_bad.py", line: 1, message: "ModuleNotFoundError: No module named 'none'", severity: "error" },
      {
        file: "tests/test_new.py",
        test: "tests/test_new.py::TestA::test_b",
        message: "ValueError: a - b",
        severity: "error",
      },
    ],
    counts: { passed: 3, failed: 3, skipped: 2 },
  });
  expect(parsePytest("FAILED something.py - no summary")).toEqual({ failures: [] });
});

it("pythonTraces reads unittest", () => {
  const text = `test_holds (test_tiny.T.test_holds) ... ok
test_breaks (test_tiny.T.test_breaks) ... FAIL

======================================================================
FAIL: test_breaks (test_tiny.T.test_breaks)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/usr/lib/python3.11/unittest/mock.py", line 1, in patched
  File "/p/test_tiny.py", line 11, in test_breaks
    self.assertEqual(4, 6)
AssertionError: 4 != 6

======================================================================
ERROR: test_none (unittest.loader._FailedTest.test_none)
----------------------------------------------------------------------
ImportError: Failed to import test module: test_none

----------------------------------------------------------------------
Ran 4 tests in 0.001s

FAILED (failures=1, errors=1, skipped=1)
`;
  expect(parseUnittest(text)).toEqual({
    failures: [
      {
        file: "/p/test_tiny.py",
        line: 11,
        test: "test_tiny.T.test_breaks",
        message: "AssertionError: 4 != 6",
        severity: "error",
      },
      {
        test: "unittest.loader._FailedTest.test_none",
        message: "ImportError: Failed to import test module: test_none",
        severity: "error",
      },
    ],
    counts: { passed: 1, failed: 2, skipped: 1 },
  });
});

it("pythonTraces reads the syntax errors of compileall", () => {
  const text = `*** Error compiling './wrong.py'...
  File "./wrong.py", line 2
    def f(:
          ^
SyntaxError: invalid syntax

`;
  expect(parseUnittest(text).failures).toEqual([
    { file: "./wrong.py", line: 2, message: "SyntaxError: invalid syntax", severity: "error" },
  ]);
});

it("pythonTraces takes the name of a test from behind its class, whatever is in it", () => {
  const rule = "-".repeat(70);
  const text = `FAIL: test_a[(1)] (m.T.test_a[(1)])\n${rule}\nx\n\nFAIL: test_b (m.T.test_b) [why] (i=1)\n${rule}\nx\n\nFAIL: test_c (m.T)\n${rule}\nx\n`;
  expect(parseUnittest(text).failures.map(({ test }) => test)).toEqual(["m.T.test_a[(1)]", "m.T.test_b", "m.T.test_c"]);
});

it("pytest takes an id to its end, also where it looks like the start of the message", () => {
  const text =
    "FAILED test_a.py::test_b[(1) - c] - assert [1] - 2\nFAILED test_a.py::test_d - [x] - y\n2 failed in 0.1s\n";
  expect(parsePytest(text).failures.map(({ test, message }) => [test, message])).toEqual([
    ["test_a.py::test_b[(1) - c]", "assert [1] - 2"],
    ["test_a.py::test_d", "[x] - y"],
  ]);
});
