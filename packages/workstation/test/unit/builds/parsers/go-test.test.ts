import { expect, it } from "vitest";
import { goTestParser } from "../../../../src/builds/ecosystems/go.js";

const write = (...events: readonly object[]): string => events.map((event) => JSON.stringify(event)).join("\n");

it("goTest reads tests and subtests, and finds their files", () => {
  const Package = "example.com/m/inner";
  const text = write(
    { Action: "run", Package, Test: "TestA" },
    { Action: "output", Package, Test: "TestA/x", Output: "    inner_test.go:8: got 1\n" },
    { Action: "output", Package, Test: "TestA/x", Output: "        want 2\n" },
    { Action: "output", Package, Test: "TestA/x", Output: "--- FAIL: TestA/x (0.00s)\n" },
    { Action: "fail", Package, Test: "TestA/x" },
    { Action: "fail", Package, Test: "TestA" },
    { Action: "pass", Package: "example.com/m", Test: "TestB" },
    { Action: "skip", Package: "example.com/m", Test: "TestC" },
    { Action: "fail", Package },
  );
  const { failures, counts } = goTestParser("example.com/m")(text);
  expect(failures).toEqual([
    {
      file: "inner/inner_test.go",
      line: 8,
      test: "example.com/m/inner.TestA/x",
      message: "got 1\n        want 2",
      severity: "error",
    },
  ]);
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: 1 });
});

it("goTest reads what the compiler says, as an event or as text", () => {
  const build = write(
    { ImportPath: "example.com/m", Action: "build-output", Output: "# example.com/m\n" },
    { ImportPath: "example.com/m", Action: "build-output", Output: "./a.go:3:2: undefined: x\n" },
    { ImportPath: "example.com/m", Action: "build-fail" },
  );
  const expected = [{ file: "./a.go", line: 3, column: 2, message: "undefined: x", severity: "error" }];
  expect(goTestParser("example.com/m")(build)).toMatchObject({ failures: expected });
  expect(goTestParser("example.com/m")(build)).not.toHaveProperty("counts");
  expect(goTestParser("m")("# m\n./a.go:3:2: undefined: x\n").failures).toEqual(expected);
  expect(goTestParser("m")('{"Action":"fail","Packa\n').failures).toEqual([]);
});
