import { symlink } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { nextPage, openWorkstation } from "../kit.js";

describe("ci_workflows", () => {
  test("gives every file, also those that are wrong", async () => {
    const { call } = await openWorkstation({
      files: {
        ".github/workflows/b.yaml": "on: push\njobs:\n  a:\n   - [\n",
        ".github/workflows/a.yml": "name: A\non: push\njobs: { one: { runs-on: x, steps: [{ run: make }] } }\n",
        ".github/workflows/notes.txt": "",
      },
    });
    const { workflows } = (await call("ci_workflows")) as {
      workflows: { file: string; faults: { line?: number }[] }[];
    };
    expect(workflows.map(({ file }) => file)).toEqual([".github/workflows/a.yml", ".github/workflows/b.yaml"]);
    expect(workflows[0]).toMatchObject({
      name: "A",
      triggers: ["push"],
      jobs: [{ id: "one", runs_on: "x" }],
      faults: [],
    });
    expect(workflows[1]?.faults[0]?.line).toBeGreaterThan(0);
    const one = await call("ci_workflows", { path: ".github/workflows/a.yml" });
    expect(one["workflows"]).toMatchObject([{ file: ".github/workflows/a.yml" }]);
    expect((await call("ci_workflows", { path: ".github/workflows" }))["workflows"]).toHaveLength(2);
  });

  test("shows nothing of a file that is hidden, and no path from outside the roots", async () => {
    const { root, call } = await openWorkstation({
      policy: { hidden: ["**/secret.yml"] },
      files: { ".github/workflows/secret.yml": "on: push\n", ".github/workflows/a.yml": "on: push\njobs: {}\n" },
    });
    await symlink("nowhere", path.join(root, ".github/workflows/b.yml"));
    const found = await call("ci_workflows");
    expect(found["workflows"]).toMatchObject([
      { file: ".github/workflows/a.yml" },
      { file: ".github/workflows/b.yml" },
    ]);
    expect(JSON.stringify(found)).not.toContain(root);
  });

  test("goes on where a result was full", async () => {
    const step = { run: "x".repeat(400) };
    const workflow = JSON.stringify({ on: "push", jobs: { a: { steps: Array.from({ length: 20 }, () => step) } } });
    const files = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`.github/workflows/${at}.yml`, workflow]));
    const { call } = await openWorkstation({ files });
    const seen: string[] = [];
    for (let next: JsonObject | undefined = {}; next !== undefined; ) {
      const page: JsonObject = await call("ci_workflows", next);
      expect(JSON.stringify(page).length).toBeLessThan(40_000);
      seen.push(...(page["workflows"] as { file: string }[]).map(({ file }) => file));
      next = nextPage(page);
    }
    expect(seen).toEqual(Object.keys(files));
  });

  test("says where it looked in vain", async () => {
    const { fail } = await openWorkstation({ files: { a: "" } });
    const { code, text } = await fail("ci_workflows");
    expect(code).toBe("NOT_FOUND");
    expect(text).toContain(".github/workflows does not exist");
  });
});

describe("the prompt fix-failing-test", () => {
  test("leads from the failure to a run that passes", async () => {
    const { client } = await openWorkstation();
    const { messages } = await client.getPrompt("fix-failing-test", { project_path: "app", test: "adds" });
    const { text } = (messages as { content: { text: string } }[])[0]?.content ?? { text: "" };
    expect(text).toContain('Call ci_test with {"project_path":"app","test":"adds"}');
    expect(text.indexOf("fs_read_file")).toBeLessThan(text.indexOf("fs_edit_file"));
    expect(text.indexOf("fs_edit_file")).toBeLessThan(text.lastIndexOf("ci_test"));
  });
});
