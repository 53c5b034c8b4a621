import { symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { blocksOf, readPage, root } from "../../../../tests/docs/pages.js";
import { folderWith } from "../lifecycle/program.js";
import { Child } from "../stdio/child.js";

test("the transport in the guide has at most 40 lines and serves a call", async () => {
  const [example] = blocksOf(readPage("docs/guides/transports.md"));
  const code = example?.code ?? "";
  expect(code.trimEnd().split("\n").length).toBeLessThanOrEqual(40);
  const folder = folderWith({ "main.mjs": code, "package.json": "{}" });
  // So that it resolves the engine as an author's file would.
  symlinkSync(`${root}node_modules`, path.join(folder, "node_modules"), "junction");
  const child = new Child(process.execPath, [path.join(folder, "main.mjs")]);
  expect(await child.ended).toEqual({ code: 0, signal: null });
  expect(child.stderr).toBe("");
  expect(child.messages).toMatchObject([{ id: 1, result: { content: [{ text: "Hello over a port." }] } }]);
});
