import { symlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openWorkstation, type TestWorkstation } from "../kit.js";
import { OWN_PACKAGES } from "./projects.js";

async function openProject(
  files: Record<string, string>,
  scripts: Record<string, string> = {},
): Promise<TestWorkstation> {
  const manifest = JSON.stringify({ name: "tiny", type: "module", scripts });
  const bench = await openWorkstation({ settings: { builds: true }, files: { "package.json": manifest, ...files } });
  await symlink(OWN_PACKAGES, path.join(bench.root, "node_modules"));
  return bench;
}

describe("a Node project", () => {
  test("is tested by the Vitest of its script", async () => {
    const { call } = await openProject(
      {
        "test/tiny.test.js": `import { describe, expect, test } from "vitest";
describe("tiny", () => {
  test("holds", () => {});
  test("breaks", () => {
    expect({ a: 1 }).toEqual({ a: 2 });
  });
  test.skip("sleeps", () => {});
});
`,
      },
      { test: "vitest run" },
    );
    const result = await call("RunTestsAsync", { projectPath: "." });
    expect(result).toMatchObject({
      ecosystem: "node",
      command: "npm run test",
      ok: false,
      counts: { passed: 1, failed: 1, skipped: 1 },
      failures_total: 1,
    });
    const [failure] = result["failures"] as { message: string }[];
    expect(failure).toMatchObject({ file: "test/tiny.test.js", line: 5, column: 22, test: "tiny > breaks" });
    expect(failure?.message).toMatch(/^AssertionError: expected \{ a: 1 \} to deeply equal \{ a: 2 \}/);
    const picked = await call("ci_test", { test: "holds" });
    expect(picked).toMatchObject({ ok: true, command: "npm run test -- --testNamePattern=holds" });
    expect(picked["counts"]).toEqual({ passed: 1, failed: 0, skipped: 2 });
  });

  test("is tested by Node itself where nothing else is there", async () => {
    const { call } = await openWorkstation({
      settings: { builds: true },
      files: {
        "package.json": '{ "type": "module" }',
        "tiny.test.js": `import assert from "node:assert";
import test from "node:test";
test("holds", () => {});
test("outer", async (t) => {
  await t.test("inner", () => {
    assert.equal(1, 2);
  });
});
test("sleeps", { skip: true }, () => {});
`,
      },
    });
    expect(await call("ci_test")).toMatchObject({
      command: "node --test",
      ok: false,
      counts: { passed: 1, failed: 2, skipped: 1 },
      failures: [{ file: "tiny.test.js", line: 6, column: 12, test: "inner", message: "1 == 2", severity: "error" }],
    });
  });

  test("has no single test picked where its script is more than one command", async () => {
    const { call, fail } = await openProject({}, { test: "echo one && echo two" });
    expect(await call("ci_test")).toMatchObject({ ok: true, failures: [] });
    const picked = await fail("ci_test", { test: "x" });
    expect(picked).toMatchObject({ code: "UNAVAILABLE" });
    expect(picked.text).toContain("one test cannot be selected");
  });

  test("is built by its compiler, and linted by the linter that it has", async () => {
    const { call } = await openProject(
      {
        "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, types: [] }, include: ["src"] }),
        "src/tiny.ts": 'export const tiny: number = "one";\n',
        "biome.json": JSON.stringify({ formatter: { enabled: false }, files: { includes: ["src/**"] } }),
      },
      { build: "tsc --noEmit" },
    );
    expect(await call("BuildAsync", { projectPath: "package.json" })).toMatchObject({
      command: "npm run build",
      ok: false,
      failures: [
        {
          file: "src/tiny.ts",
          line: 1,
          column: 14,
          message: "TS2322: Type 'string' is not assignable to type 'number'.",
          severity: "error",
        },
      ],
    });
    const linted = await call("ci_lint");
    expect(linted).toMatchObject({ command: "./node_modules/.bin/biome ci --reporter=github", ok: true });
  });

  test("says what there is to do where it has no script, or no package.json that can be read", async () => {
    const files = { "package.json": "{}", "null/package.json": "null", "open/package.json": "{" };
    const { fail } = await openWorkstation({ settings: { builds: true }, files });
    for (const project_path of ["null", "open"])
      expect((await fail("ci_test", { project_path })).text).toContain("package.json is not a valid JSON object");
    const { code, text } = await fail("ci_build");
    expect(code).toBe("UNAVAILABLE");
    expect(text).toContain('package.json has no script "build", and no tool for it is in node_modules.');
  });
});
