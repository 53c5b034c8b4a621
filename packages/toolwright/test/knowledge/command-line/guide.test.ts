import { cpSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { blocksOf, readPage, root } from "../../../../../tests/docs/pages.js";
import { openPlace, type Place } from "./run.js";

const guide = blocksOf(readPage("docs/guides/knowledge.md"));

/** A place with three versions of some of our own documentation. */
async function openDocs(): Promise<Place> {
  const place = openPlace();
  for (const page of ["docs/guides/knowledge.md", "docs/guides/http.md", "docs/guides/todo.md", "README.md"])
    cpSync(path.join(root, page), path.join(place.cwd, page));
  for (const number of [1, 2, 3]) {
    place.write("docs/number.md", `# Number\n\nThis is number ${number}.\n`);
    await place.good("ingest", "docs", "--quiet");
  }
  return place;
}

/** The words of a line as a shell would have them; what follows "#" is none. */
const wordsOf = (line: string): string[] =>
  [...line.replace(/ #.*$/, "").matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g)].map(
    ([all, one, other]) => one ?? other ?? all,
  );

test("every command of the guide does what it says", { timeout: 60_000 }, async () => {
  const { kb, write, good } = await openDocs();
  const golden = guide.find(({ words, code }) => words[0] === "json" && code.includes('"question"'));
  write("golden.json", golden?.code ?? "");
  const passage = await good("search", "session", "-n", "1", "--quiet");
  const lines = guide
    .filter(({ words }) => words[0] === "sh")
    .flatMap(({ code }) => code.split("\n").filter((line) => line.startsWith("toolwright kb ")))
    .map((line) => line.replace(/chk_[0-9a-f]{24}/, passage));
  expect(lines.length).toBeGreaterThan(15);
  for (const line of lines) expect([line, await kb(...wordsOf(line).slice(2))]).toMatchObject([line, { status: 0 }]);
});
