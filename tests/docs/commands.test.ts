import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Block, blocksOf, type Page, readPages } from "./pages.js";
import { createReader, listen, type Reader, run } from "./reader/reader.js";
import { SCRIPTS, type Script } from "./reader/scripts.js";

// What a busy machine may take for a page.
const PATIENCE = 600_000;
const isPosix = process.platform !== "win32";

/** Pages whose commands newcomer.test.ts runs. */
const ELSEWHERE = new Set(["README.md", "docs/tutorial.md"]);

/** Pages for developers of a package: their commands run its tests. */
const FOR_DEVELOPERS = /^packages\/(?!engine\/|toolwright\/)/;

const isShell = ({ words }: Block) => ["sh", "bash", "shell", "console"].includes(words[0] ?? "");
const shellBlocksOf = (page: Page) => blocksOf(page).filter(isShell);
const pages = readPages().filter(
  (page) => shellBlocksOf(page).length > 0 && !ELSEWHERE.has(page.file) && !FOR_DEVELOPERS.test(page.file),
);

/** A line without what is said of it. */
const bare = (line: string) => line.replace(/\s+#.*$/, "");

/** Addresses of servers on the pages, but for those at which a line says that itself can be reached. */
const ADDRESS = /(?<!--public-url )\b(http|ws)s?:\/\/(?:127\.0\.0\.1:(?:3000|8080)|example\.com|tools\.example)\/mcp/g;

/** A block as it is run: with addresses and names that there are, and the codes with which its lines must end. */
function toRun(code: string, at: string, { names = {}, codes = {} }: Script): string {
  const lines = code.split("\n").map((line) => {
    const expected = codes[bare(line)];
    return expected === undefined ? line : `code=0\n${bare(line)} || code=$?\n[ $code = ${expected} ]`;
  });
  const words = lines.join("\n").replaceAll(ADDRESS, (_all, scheme: string) => at.replace(/^http/, scheme));
  return Object.entries(names).reduce((text, [name, real]) => text.replaceAll(name, `$(${real})`), words);
}

/** Files that a block says it writes. */
function writtenBy({ code }: Block): string[] {
  const writes = code.matchAll(/(?:--html|--output|--record|>>?|task export|kb export \S+) ([\w~./-]+)/g);
  return [...writes].map(([, file = ""]) => file);
}

describe.runIf(isPosix)("the commands of", () => {
  const readers: Reader[] = [];
  const newReader = () => {
    const reader = createReader();
    readers.push(reader);
    return reader;
  };
  let shared: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    shared = await listen(newReader(), "--listen");
  });
  afterAll(() => {
    shared.child.kill();
    for (const { home } of readers) rmSync(path.dirname(home), { recursive: true, force: true, maxRetries: 5 });
  });

  // The longest ones first, so that none of them is waited for alone.
  const lengthOf = (page: Page) => shellBlocksOf(page).reduce((sum, { code }) => sum + code.length, 0);
  const table = pages
    .toSorted((one, other) => lengthOf(other) - lengthOf(one))
    .map((page): [string, Page] => [page.file, page]);
  test.concurrent.for(table)("%s do what they say", { timeout: PATIENCE }, async ([file, page], context) => {
    const script = SCRIPTS[file] ?? { says: [] };
    const reader = newReader();
    let folder = reader.app;
    let said = "";
    for (const [name, text] of Object.entries(script.files ?? {})) writeFileSync(path.join(folder, name), text(page));
    for (const block of shellBlocksOf(page)) {
      if (block.code.includes("call --socket ./mcp.sock")) {
        const { child } = await listen(reader, "--at", path.join(folder, "mcp.sock"));
        context.onTestFinished(() => void child.kill());
      }
      for (const [line, words] of Object.entries(script.before ?? {}))
        if (block.code.includes(line))
          context.expect(await run(reader, words, folder, context.signal)).toMatchObject({ code: 0 });
      const ended = await run(reader, toRun(block.code, shared.at, script), folder, context.signal);
      context.expect(ended.code, `line ${block.line}: ${block.code}${ended.said}`).toBe(0);
      for (const name of writtenBy(block)) {
        const place = path.resolve(folder, name.replace(/^~/, reader.home));
        context.expect(existsSync(place) && statSync(place).size, `line ${block.line}: ${name}`).toBeGreaterThan(0);
      }
      said += ended.said;
      folder = ended.folder;
    }
    let from = 0;
    for (const words of script.says) {
      const found = said.indexOf(words, from);
      context.expect(found, `"${words}" after ${said.slice(from)}`).toBeGreaterThanOrEqual(0);
      from = found + words.length;
    }
  });
});

describe("what is known of the commands", () => {
  test("is of the pages that have some, and of lines that stand there", () => {
    expect(Object.keys(SCRIPTS)).toEqual(pages.map(({ file }) => file));
    for (const page of pages) {
      const text = shellBlocksOf(page)
        .map(({ code }) => code)
        .join("");
      const { before = {}, names = {}, codes = {} } = SCRIPTS[page.file] ?? { says: [] };
      for (const words of [before, names].flatMap(Object.keys)) expect(text).toContain(words);
      expect(text.split("\n").map(bare)).toEqual(expect.arrayContaining(Object.keys(codes)));
    }
  });
});
