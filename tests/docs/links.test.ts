import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type Page, proseOf, readPage, readPages, root } from "./pages.js";

const pages = readPages();

/** The targets of all links to files of the project. */
function linksOf(page: Page): string[] {
  const found = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? "");
  return found.filter((target) => !/^[a-z]+:/.test(target));
}

/** The names under which the headings of a page can be linked to. */
function anchorsOf(page: Page): string[] {
  return [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

function faultOf(page: Page, link: string): string | undefined {
  const [target = "", anchor] = link.split("#");
  const file = target === "" ? page.file : path.posix.join(path.posix.dirname(page.file), target);
  if (file.startsWith("..") || !existsSync(root + file)) return `${link}: there is no ${file}`;
  if (anchor === undefined || anchorsOf(readPage(file)).includes(anchor)) return undefined;
  return `${link}: ${file} has no such heading`;
}

describe("links", () => {
  test("are looked for in every page", () => {
    const files = pages.map(({ file }) => file);
    for (const file of ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"])
      expect(files).toContain(file);
    for (const file of ["docs/decisions/README.md", "docs/rough-edges.md", "packages/engine/README.md"])
      expect(files).toContain(file);
  });

  test.each(pages.map((page) => [page.file, page] as const))(
    "of %s point to something that is there",
    (_file, page) => {
      expect(linksOf(page).flatMap((link) => faultOf(page, link) ?? [])).toEqual([]);
    },
  );
});

describe("source files", () => {
  const listed = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  const files = listed.stdout.split("\n");
  const forDevelopers = pages.filter(({ file }) =>
    /^(?:ARCHITECTURE|CONTRIBUTING|packages\/.*|docs\/decisions\/.*)\.md$/.test(file),
  );

  test.runIf(listed.status === 0).each(forDevelopers.map((page) => [page.file, page] as const))(
    "that %s names exist",
    (_file, page) => {
      const named = page.text.match(/(?<![\w/.-])(?:[\w.-]+\/)*[\w.-]+\.(?:ts|mjs)(?![\w.-])/g) ?? [];
      const isKnown = (name: string) => files.some((file) => file === name || file.endsWith(`/${name}`));
      expect(named.filter((name) => !isKnown(name.replace(/^(?:\.\.?\/)+/, "")))).toEqual([]);
    },
  );
});
