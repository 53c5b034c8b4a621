import { existsSync } from "node:fs";
import path from "node:path";
import { expectAsksBeforeActing } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { openWorkstation } from "../kit.js";

describe("with ask: destructive", () => {
  test("a person is asked before anything of a project is run", async () => {
    const script = "node mark.cjs";
    const { server, root } = await openWorkstation({
      settings: { builds: true, network: true, ask: "destructive" },
      files: {
        "package.json": JSON.stringify({ scripts: { build: script, test: script, lint: script, install: script } }),
        "mark.cjs": "require('node:fs').writeFileSync('mark', '')",
      },
    });
    const effects = (): boolean => existsSync(path.join(root, "mark"));
    for (const tool of ["ci_build", "ci_test", "ci_lint", "ci_restore"]) {
      const declined = await expectAsksBeforeActing(server, {
        tool,
        input: {},
        snapshot: effects,
        responses: { confirm: { sure: false } },
      });
      expect([tool, declined["isError"], effects()]).toEqual([tool, true, false]);
    }
    const agreed = await expectAsksBeforeActing(server, {
      tool: "ci_build",
      input: {},
      snapshot: effects,
      responses: { confirm: { sure: true } },
    });
    expect([agreed["structuredContent"], effects()]).toEqual([expect.objectContaining({ ok: true }), true]);
  });
});

describe("the prompt fix-failing-test", () => {
  test.each([
    ["by default", {}, true],
    ["without other tools", { exclude: ["ci_lint"] }, true],
    ["in read-only mode", { readOnly: true }, false],
    ["without ci_test", { exclude: ["ci_test"] }, false],
    ["without fs_edit_file", { exclude: ["fs_edit_file"] }, false],
  ])("%s", async (_when, filter, isThere) => {
    const { client } = await openWorkstation({ filter });
    const { prompts } = (await client.request("prompts/list")) as unknown as { prompts: { name: string }[] };
    expect(prompts.some(({ name }) => name === "fix-failing-test")).toBe(isThere);
    expect(prompts.some(({ name }) => name === "commit-message")).toBe(true);
  });
});

test("git_commit says that it runs programs where hooks are allowed, and only there", async () => {
  const hints = async (settings: { gitHooks: boolean }) => {
    const tools = await (await openWorkstation({ settings })).client.listTools();
    return tools.find(({ name }) => name === "git_commit")?.["annotations"];
  };
  expect(await hints({ gitHooks: true })).toMatchObject({ destructiveHint: true, openWorldHint: true });
  expect(await hints({ gitHooks: false })).toMatchObject({ destructiveHint: false, openWorldHint: false });
});

test("checkpoint says that the same call again does something more: it moves the name", async () => {
  const tools = await (await openWorkstation()).client.listTools();
  expect(tools.find(({ name }) => name === "checkpoint")?.["annotations"]).toMatchObject({ idempotentHint: false });
});
