import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openWorkstation } from "../kit.js";
import { GO, has, RUST } from "./projects.js";

const ON = { settings: { builds: true } };
const SLOW_MS = 120_000;

describe.skipIf(!has("cargo"))("a Rust project (needs cargo)", () => {
  test(
    "is tested and built, and says where it is wrong",
    async () => {
      const { root, call } = await openWorkstation({ ...ON, files: RUST });
      const tested = await call("ci_test");
      expect(tested).toMatchObject({
        ecosystem: "rust",
        command: "cargo test --message-format=json --no-fail-fast",
        ok: false,
        exit_code: 101,
        counts: { passed: 1, failed: 1, skipped: 1 },
        failures: [
          {
            file: "src/lib.rs",
            line: 14,
            column: 9,
            test: "tests::triples",
            message: expect.stringMatching(/left: 4\n right: 6$/) as string,
            severity: "error",
          },
        ],
      });
      expect(await call("ci_test", { test: "doubles" })).toMatchObject({ ok: true, counts: { passed: 1, failed: 0 } });
      await writeFile(
        path.join(root, "src/lib.rs"),
        'pub fn twice(x: i32) -> i32 {\n    let unused = 1;\n    "x"\n}\n',
      );
      const built = await call("ci_build");
      expect(built).toMatchObject({ ok: false, failures_total: 1 });
      expect(built["failures"]).toMatchObject([
        { file: "src/lib.rs", line: 3, column: 5, message: "mismatched types: expected `i32`, found `&str` (E0308)" },
      ]);
    },
    SLOW_MS,
  );
});

describe.skipIf(!has("go", "version"))("a Go module (needs go)", () => {
  test(
    "is tested, built and vetted, and says where it is wrong",
    async () => {
      const { root, call } = await openWorkstation({ ...ON, files: GO });
      expect(await call("ci_test")).toMatchObject({
        ecosystem: "go",
        command: "go test -json ./...",
        ok: false,
        counts: { passed: 2, failed: 1, skipped: 1 },
        failures: [
          {
            file: "inner/inner_test.go",
            line: 8,
            test: "example.com/tiny/inner.TestTable/wrong",
            message: "got 4, want 6",
            severity: "error",
          },
        ],
      });
      expect(await call("ci_build")).toMatchObject({ ok: true, failures: [] });
      await writeFile(path.join(root, "inner/inner.go"), "package inner\n\nfunc f() int { return missing }\n");
      for (const name of ["ci_build", "ci_lint"]) {
        const result = await call(name);
        expect(result).toMatchObject({ ok: false });
        expect(result["failures"]).toMatchObject([{ file: "inner/inner.go", line: 3, message: "undefined: missing" }]);
      }
      const broken = await call("ci_test", { test: "TestTable" });
      expect(broken["failures"]).toMatchObject([{ file: "inner/inner.go", line: 3, message: "undefined: missing" }]);
    },
    SLOW_MS,
  );
});
