import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { connectTestClient } from "@toolwright/engine/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { toolCallsOf } from "../../../../../tests/support/tool-calls.js";
import { makeFolder, openWorkstation, putFiles } from "../../../../workstation/test/kit.js";
import { createMemoryServer } from "../../../src/cli/memory-server.js";
import { loadServeConfig } from "../../../src/cli/serve-config.js";

const REASON = "the settings of this server";
const EDITS = [{ old: "{", new: "{{" }];

/** A bench that was started with a configuration in its root. */
async function openConfigured(configuration: string, files: Readonly<Record<string, string>>) {
  const root = await makeFolder();
  await putFiles(root, files);
  return openWorkstation({ root, configuration: path.join(root, configuration) });
}

describe("the configuration that the server was started with", () => {
  test("is read and not changed, whatever its name", async () => {
    const { call, fail } = await openConfigured("conf/tw.json", { "conf/tw.json": "{}", "conf/x": "x" });
    expect(await call("fs_read_file", { path: "conf/tw.json" })).toMatchObject({ text: "{}" });
    for (const [tool, args] of [
      ["fs_write_file", { path: "conf/tw.json", content: "" }],
      ["fs_edit_file", { path: "conf/tw.json", edits: EDITS }],
      ["fs_delete_file", { path: "conf/tw.json" }],
      ["fs_move", { from: "conf/tw.json", to: "away" }],
      ["fs_move", { from: "conf/x", to: "conf/tw.json", overwrite: true }],
      ["fs_move", { from: "conf", to: "away" }],
      ["fs_move", { from: "conf/x", to: "conf/TW.json" }],
    ] as const) {
      const refused = await fail(tool, args);
      expect([tool, refused.code, refused.text]).toEqual([tool, "FORBIDDEN_PATH", expect.stringContaining(REASON)]);
    }
    await call("fs_write_file", { path: "conf/x", content: "y" });
  });

  test("gets no other in its place where a person has moved it", async () => {
    const { root, fail } = await openConfigured("conf/deep/tw.json", {
      "conf/deep/tw.json": "{}",
      "cloned/deep/tw.json": "{1}",
    });
    await rename(path.join(root, "conf"), path.join(root, "away"));
    expect((await fail("fs_move", { from: "cloned", to: "conf" })).text).toContain(REASON);
    expect((await fail("fs_move", { from: "cloned/deep", to: "conf/deep" })).text).toContain(REASON);
    expect((await fail("fs_write_file", { path: "conf/deep/tw.json", content: "" })).text).toContain(REASON);
  });

  test("keeps the links on its way", async () => {
    const root = await makeFolder();
    await putFiles(root, { "real/a.json": "{}", "other/tw.json": "{1}" });
    await mkdir(path.join(root, "conf"));
    await symlink("../real/a.json", path.join(root, "conf/tw.json"));
    await symlink("conf", path.join(root, "way"));
    const { fail } = await openWorkstation({ root, configuration: path.join(root, "way/tw.json") });
    for (const [tool, args] of [
      ["fs_write_file", { path: "way/tw.json", content: "" }],
      ["fs_write_file", { path: "real/a.json", content: "" }],
      ["fs_delete_file", { path: "conf/tw.json" }],
      ["fs_delete_file", { path: "way" }],
      ["fs_move", { from: "way", to: "away" }],
      ["fs_move", { from: "conf", to: "away" }],
      ["fs_move", { from: "real", to: "away" }],
      ["fs_move", { from: "other/tw.json", to: "way", overwrite: true }],
    ] as const)
      expect([tool, args, (await fail(tool, args)).code]).toEqual([tool, args, "FORBIDDEN_PATH"]);
  });

  test("is not undone away", async () => {
    const root = await makeFolder();
    await putFiles(root, { "old/x": "x" });
    const before = await openWorkstation({ root });
    await before.call("fs_move", { from: "old", to: "conf" });
    await before.call("fs_write_file", { path: "conf/tw.json", content: "{}" });
    await before.server.close();
    const { state } = before;
    const { call, fail } = await openWorkstation({ root, state, configuration: path.join(root, "conf/tw.json") });
    expect((await fail("undo_last")).text).toContain(REASON);
    await rm(path.join(root, "conf/tw.json"));
    expect((await fail("undo_last", { count: 2, force: true })).text).toContain(REASON);
    expect(existsSync(path.join(root, "conf/x"))).toBe(true);
    await call("fs_write_file", { path: "conf/x", content: "y" });
  });

  test("gets no other in its place by a link that an undo brings back", async () => {
    const root = await makeFolder();
    await putFiles(root, { "other/tw.json": "{1}" });
    await symlink("other", path.join(root, "conf"));
    const before = await openWorkstation({ root });
    await before.call("fs_delete_file", { path: "conf" });
    await before.server.close();
    const { state } = before;
    const { fail } = await openWorkstation({ root, state, configuration: path.join(root, "conf/tw.json") });
    expect((await fail("undo_last")).text).toContain(REASON);
    expect(existsSync(path.join(root, "conf"))).toBe(false);
  });
});

test("--config hands its file to every pack that writes", async () => {
  const root = await makeFolder();
  await putFiles(root, {
    "conf/tw.json": "{}",
    "own/header/rust/cli/template.yaml": "description: x\nfilename: tw.json\n",
    "own/header/rust/cli/body.liquid": "{1}",
  });
  await symlink("conf/tw.json", path.join(root, "tw.kbpack"));
  const directory = JSON.stringify({ directory: path.join(root, "own") });
  const words = ["--root", root, "--all-tools", "--config", "conf/tw.json", "--set", `packs.templates=${directory}`];
  const config = await loadServeConfig(words, { env: {}, folder: root });
  const server = await createMemoryServer(config, await makeFolder(), "1.0.0");
  const client = await connectTestClient(server);
  onTestFinished(async () => {
    client.close();
    await server.close();
  });
  const { call, fail } = toolCallsOf(client);
  await call("kb_create", { name: "docs" });
  await call("kb_ingest", { collection: "docs", texts: [{ name: "a.md", text: "# A" }] });
  expect((await fail("fs_write_file", { path: "conf/tw.json", content: "" })).text).toContain(REASON);
  expect((await fail("kb_export", { collection: "docs", path: "tw.kbpack" })).text).toContain(REASON);
  const project = { toolchain: "rust", templates: ["header"], parameters: {}, target: "conf" };
  expect(await call("scaffold_project", { ...project, write: true, on_conflict: "overwrite" })).toMatchObject({
    errors: [{ error: expect.stringContaining(REASON) as string }],
    written: [],
  });
  expect(await readFile(path.join(root, "conf/tw.json"), "utf8")).toBe("{}");
});

describe("a folder with a configuration of the default name", () => {
  test.each(["toolwright.config.json", "deep/er/Toolwright.config.jsonc"])("%s is not moved", async (name) => {
    const { call, fail } = await openWorkstation({
      files: { [`app/${name}`]: "{}", "plain/.git/config": "", "x/y": "" },
    });
    const refused = await fail("fs_move", { from: "app", to: "old" });
    expect([refused.code, refused.text]).toEqual(["FORBIDDEN_PATH", expect.stringContaining(REASON)]);
    await call("fs_move", { from: "plain", to: "moved" });
    await call("fs_move", { from: "x", to: "app/x" });
  });

  test("is not moved back by undo", async () => {
    const { root, call, fail } = await openWorkstation({ files: { "a/x": "" } });
    await call("fs_move", { from: "a", to: "b" });
    await putFiles(root, { "b/toolwright.config.json": "{}" });
    expect((await fail("undo_last")).text).toContain(REASON);
    expect(existsSync(path.join(root, "b/x"))).toBe(true);
  });
});

test("what is hidden does not come out by an undo", async () => {
  const policy = { hidden: ["b/secret"] };
  const { root, call, fail } = await openWorkstation({ files: { "a/x": "" }, policy });
  await call("fs_move", { from: "a", to: "b" });
  await putFiles(root, { "b/secret": "s" });
  expect((await fail("undo_last")).text).toContain("it contains something that this server hides");
  expect(existsSync(path.join(root, "a"))).toBe(false);
});
