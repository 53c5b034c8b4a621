import { symlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openWorkstation, type TestWorkstation } from "../kit.js";
import { has, OWN_PACKAGES } from "./projects.js";

const ON = { settings: { builds: true } };

/** Runs all tests, then the one that failed by the name that it was given. */
async function runFailed({ call }: TestWorkstation, passed: number): Promise<string> {
  const all = await call("ci_test");
  expect(all).toMatchObject({ ok: false, failures_total: 1, counts: { passed, failed: 1 } });
  const [{ test: name }] = all["failures"] as [{ test: string }];
  const one = await call("ci_test", { test: name });
  expect(one).toMatchObject({ ok: false, failures: [{ test: name }], counts: { passed: 0, failed: 1 } });
  return name;
}

async function refuseUnknown({ fail }: TestWorkstation): Promise<void> {
  const { code, text } = await fail("ci_test", { test: "no such (1) test" });
  expect(code).toBe("NOT_FOUND");
  expect(text).toContain(
    'No test is named "no such (1) test": nothing was run. To see the names of the tests that fail, call ci_test with {}',
  );
}

describe("the name of a failed test picks it again", () => {
  test("of Node's own runner", async () => {
    const files = {
      "package.json": "{}",
      "none.test.js": "",
      "tiny.test.js": `const assert = require("node:assert");
const test = require("node:test");
test("adds (1) [a/b] #2 > 1", () => assert.equal(1, 2));
test("adds", () => {});
`,
    };
    const bench = await openWorkstation({ ...ON, files });
    expect(await runFailed(bench, 1)).toBe("adds (1) [a/b] #2 > 1");
    await refuseUnknown(bench);
  });

  test("of Vitest", async () => {
    const files = {
      "package.json": JSON.stringify({ type: "module", scripts: { test: "vitest run" } }),
      "tiny.test.js": `import { describe, expect, test } from "vitest";
describe("tiny", () => {
  test("adds (1) [a] $HOME", () => expect(1).toBe(2));
  test("adds", () => {});
});
`,
    };
    const bench = await openWorkstation({ ...ON, files });
    await symlink(OWN_PACKAGES, path.join(bench.root, "node_modules"));
    expect(await runFailed(bench, 1)).toBe("tiny > adds (1) [a] $HOME");
  });

  test.skipIf(!has("python3") || !has("pytest"))("of pytest (needs pytest)", async () => {
    const files = {
      "pyproject.toml": "",
      "test_tiny.py": `import pytest

@pytest.mark.parametrize("value", ["(1) - a", "b"])
def test_adds(value):
    assert value == "b"
`,
    };
    const bench = await openWorkstation({ ...ON, files });
    expect(await runFailed(bench, 1)).toBe("test_tiny.py::test_adds[(1) - a]");
    await refuseUnknown(bench);
    expect(await bench.call("ci_test", { test: "test_adds[(1) - a]" })).toMatchObject({ counts: { failed: 1 } });
  });

  test.skipIf(!has("go", "version"))(
    "of Go (needs go)",
    async () => {
      const files = {
        "go.mod": "module example.com/tiny\n\ngo 1.18\n",
        "tiny.go": "package tiny\n",
        "inner/inner.go": "package inner\n",
        "tiny_test.go": 'package tiny\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {}\n',
        "inner/inner_test.go": `package inner

import "testing"

func TestAdds(t *testing.T) {
	t.Run("f(1) [a.b]", func(t *testing.T) { t.Error("no") })
	t.Run("f", func(t *testing.T) {})
}
`,
      };
      const bench = await openWorkstation({ ...ON, files });
      expect(await runFailed(bench, 2)).toBe("example.com/tiny/inner.TestAdds/f(1)_[a.b]");
      await refuseUnknown(bench);
    },
    120_000,
  );
});

test("a makefile has no single test to pick", async () => {
  const { fail } = await openWorkstation({ ...ON, files: { Makefile: "test:\n\ttrue\n" } });
  const { code, text } = await fail("ci_test", { test: "adds" });
  expect([code, text]).toEqual(["UNAVAILABLE", expect.stringContaining("make cannot select one test. Omit test")]);
});
