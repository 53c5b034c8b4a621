import { rmSync, writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { blocksOf, readPage, root } from "../docs/pages.js";
import { Child } from "../stdio/child.js";

test("the transport of the guide takes 40 lines at most and serves a call", async () => {
  const [example] = blocksOf(readPage("docs/guides/transports.md"));
  const code = example?.code ?? "";
  expect(code.trimEnd().split("\n").length).toBeLessThanOrEqual(40);
  // Inside the project, so that it finds the engine as an author's own file would.
  const file = `${root}node_modules/.cache/custom-transport-${process.pid}.mjs`;
  writeFileSync(file, code);
  onTestFinished(() => rmSync(file));
  const child = new Child(process.execPath, [file]);
  expect(await child.ended).toEqual({ code: 0, signal: null });
  expect(child.stderr).toBe("");
  expect(child.messages).toMatchObject([{ id: 1, result: { content: [{ text: "Hello over a port." }] } }]);
});
