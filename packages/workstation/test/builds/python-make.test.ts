import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openWorkstation } from "../kit.js";
import { has, PYTHON } from "./projects.js";

const ON = { settings: { builds: true } };

describe.skipIf(!has("python3"))("a Python project (needs python3)", () => {
  test.skipIf(!has("pytest"))("is tested by pytest (needs pytest)", async () => {
    const { root, call } = await openWorkstation({ ...ON, files: PYTHON });
    expect(await call("ci_test")).toMatchObject({
      ecosystem: "python",
      ok: false,
      counts: { passed: 1, failed: 1, skipped: 1 },
      failures: [
        {
          file: "test_tiny.py",
          line: 11,
          test: "test_tiny.py::TestTwice::test_triples",
          message: "AssertionError: 4 != 6 : not three times",
          severity: "error",
        },
      ],
    });
    expect(await call("ci_test", { test: "doubles" })).toMatchObject({ ok: true, counts: { passed: 1, failed: 0 } });
    await writeFile(path.join(root, "test_tiny.py"), "def test(:\n");
    const broken = await call("ci_test");
    expect(broken).toMatchObject({ ok: false, failures: [{ file: "test_tiny.py", line: 1 }] });
    expect((broken["failures"] as { message: string }[])[0]?.message).toContain("SyntaxError");
  });

  test("has its files read by the compiler", async () => {
    const { call } = await openWorkstation({ ...ON, files: { ...PYTHON, "wrong.py": "x = 1\ndef f(:\n" } });
    const result = await call("ci_build");
    expect(result).toMatchObject({ ok: false, failures: [{ file: "wrong.py", line: 2, severity: "error" }] });
  });
});

describe.skipIf(!has("make") || !has("gcc"))("a makefile (needs make and gcc)", () => {
  const files = {
    Makefile:
      "all: good.o bad.o\n\n%.o: %.c\n\tgcc -Wall -c $< -o $@\n\ntest: good\n\t./good\n\ngood: good.c\n\tgcc good.c -o good\n",
    "good.c": "int main(void) { return 0; }\n",
    "bad.c": "int main(void) {\n  int unused;\n  return missing;\n}\n",
  };

  test("is followed to the end, and says where the compiler stopped", async () => {
    const { root, call, fail } = await openWorkstation({ ...ON, files });
    const built = await call("ci_build");
    expect(built).toMatchObject({ ecosystem: "make", command: "make --keep-going -f Makefile all", ok: false });
    const found = (built["failures"] as Record<string, unknown>[]).map(({ file, line, severity }) => [
      file,
      line,
      severity,
    ]);
    expect(found).toEqual([
      ["bad.c", 3, "error"],
      ["Makefile", 4, "error"],
      ["bad.c", 2, "warning"],
    ]);
    expect(await call("ci_test")).toMatchObject({ ok: true, failures: [] });
    expect((await fail("ci_lint")).text).toContain("Makefile has no target lint or vet");
    await rm(path.join(root, "good.c"));
    await writeFile(path.join(root, "good.c"), "int missing(void);\nint main(void) { return missing(); }\n");
    const linked = await call("ci_test");
    expect((linked["failures"] as { message: string }[])[0]?.message).toContain("undefined reference to `missing'");
  });

  test.skipIf(!has("javac"))("may run javac (needs javac)", async () => {
    const { call } = await openWorkstation({
      ...ON,
      files: {
        Makefile: "build:\n\tjavac -d out src/Tiny.java\n",
        "src/Tiny.java": 'class Tiny {\n  int one = "1";\n}\n',
      },
    });
    expect((await call("ci_build"))["failures"]).toMatchObject([
      { file: "src/Tiny.java", line: 2, message: "incompatible types: String cannot be converted to int" },
      { file: "Makefile", line: 2 },
    ]);
  });
});
