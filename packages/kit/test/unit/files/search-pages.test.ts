import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFilePolicy } from "../../../src/files/file-policy.js";
import { searchFiles } from "../../../src/files/search.js";

test("a search that takes long comes in pages, which together have every line once", async () => {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), "pages-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const name of ["a", "b", "c", "d"])
    writeFileSync(path.join(root, name), name === "b" ? "none\n" : `${name} needle\n`);
  const policy = createFilePolicy({ settings: { roots: [root] } });
  const { signal } = new AbortController();
  const access = await policy.accessFor({ signal, supports: () => false, roots: async () => [] });
  const options = { pattern: "needle", path: ".", literal: true, ignore_case: false, ignored: false, context: 0 };
  const pages: string[][] = [];
  let after: string | undefined;
  do {
    const page = await searchFiles(
      access,
      { ...options, limit: 100, counts: false, after },
      { ripgrep: undefined, pageMs: 0, onProgress: () => undefined },
    );
    pages.push(page.files.flatMap(({ matches = [] }) => matches.map(({ text }) => text)));
    after = page.next?.after;
  } while (after !== undefined);
  expect(pages).toEqual([["a needle"], [], ["c needle"], ["d needle"], []]);
});
