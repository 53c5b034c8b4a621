import { expect, test } from "vitest";
import { pageOf, pdfOfPages } from "../../../../knowledge/test/documents/make-pdf.js";
import { openPlace } from "./run.js";

const LIONS = "# Lions\n\nThe lion sleeps by day and hunts by night.\n";

test("where no collection is named, all are searched, however many there are", async () => {
  const { good, json, kb, write } = openPlace();
  const names = Array.from({ length: 12 }, (_, at) => `c${at + 1}`);
  for (const name of names) {
    write(`${name}/page.md`, `# Page ${name}\n\nThe walrus of ${name} swims.\n`);
    await good("ingest", name);
  }
  const { results } = (await json("search", "walrus", "-n", "20")) as { results: { collection_id: string }[] };
  expect(new Set(results.map(({ collection_id: name }) => name))).toEqual(new Set(names));
  expect(await good("answer", "Which walrus swims, that of c12?")).toContain("The walrus of c12 swims. [1]");
  const several = await kb("search", "walrus", ...names.flatMap((name) => ["-c", name]));
  expect([several.status, several.stderr]).toEqual([
    2,
    expect.stringContaining("--collection can be given at most 10 times"),
  ]);
});

test("a kind of documents that there is not is refused", async () => {
  const { good, kb, write } = openPlace();
  write("docs/lions.md", LIONS);
  await good("ingest", "docs");
  const refusal = async (kind: string) => {
    const { status, stderr } = await kb("search", "lion", "--type", kind);
    return `${status} ${stderr}`;
  };
  expect(await refusal("nosuch")).toContain(
    '2 toolwright: --type must be markdown, text, html, pdf, docx, csv, json or code, not "nosuch"',
  );
  expect(await refusal("markdwn")).toContain('not "markdwn"; did you mean markdown?');
  expect(await good("search", "lion", "--type", "markdown", "-n", "1")).toContain("docs/lions.md");
});

test("more is never shown than is said to be there", async () => {
  const { good, write } = openPlace();
  write("docs/a.md", "熊猫吃竹子。\n");
  write("docs/b.md", "竹子长得很快。\n");
  await good("ingest", "docs");
  expect(await good("search", "熊猫")).toMatch(/\n2 of 2 passages, /);
});

test("a citation names one line, or the pages that it goes over", async () => {
  const { good, write } = openPlace();
  write("docs/short.txt", "The walrus swims.\n");
  write("docs/long.pdf", pdfOfPages([pageOf([12, "The heron stands"]), pageOf([12, "in the pond and waits."])]));
  await good("ingest", "docs");
  const [walrus = ""] = (await good("search", "walrus", "-q")).split("\n");
  expect(await good("cite", walrus)).toContain("  docs/short.txt:1  ✓ verified\n");
  const [heron = ""] = (await good("search", "heron", "-q")).split("\n");
  expect(await good("cite", heron)).toContain("  docs/long.pdf, pages 1-2  ✓ verified\n");
});

test("an entry for a passage that is not so any more is written, and that is said beside it", async () => {
  const { good, kb, write } = openPlace();
  write("docs/lions.md", LIONS);
  await good("ingest", "docs");
  const [passage = ""] = (await good("search", "lion", "-q")).split("\n");
  expect(await kb("cite", passage, "--format", "apa")).toMatchObject({ status: 0, stderr: "" });
  write("docs/lions.md", "# Tigers\n\nThe tiger swims.\n");
  const { stdout, stderr } = await kb("cite", passage, "--format", "apa");
  expect(stdout).toContain("Lions (Version 1, lines 1–3)");
  expect(stderr).toMatch(new RegExp(`^! ${passage}: outdated: the file has changed`));
});
