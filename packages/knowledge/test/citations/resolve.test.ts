import { utimes } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { expect, test } from "vitest";
import { STYLES } from "../../src/citations/formats.js";
import { pageOf, pdfOfPages } from "../documents/make-pdf.js";
import { makeDocx } from "../documents/make-zip.js";
import { type Bench, openBench } from "../kit.js";

const GUIDE = `---
title: Guide to Löwen & 100% of {braces}
author: Jane Doe and Alex de la Roe
date: 2024-05-06
license: CC-BY-SA-4.0
---
# Lions

The lion sleeps by day and hunts by night, as everybody knows who has watched one for long.

# Tigers

The tiger swims well and likes the water more than any other large cat on the whole wide earth.
`;

async function openGuide(): Promise<Bench> {
  const bench = await openBench();
  await bench.write("docs/guide.md", GUIDE);
  await bench.call("kb_create", { name: "zoo" });
  await bench.call("kb_ingest", { collection: "zoo", paths: ["docs"] });
  return bench;
}

async function findChunk(bench: Bench, query: string): Promise<string> {
  const { results } = await bench.call("kb_hybrid_search", { collection: "zoo", query });
  return (results as { chunk_id: string }[])[0]?.chunk_id ?? "";
}

async function resolve(bench: Bench, id: string, format = "json"): Promise<JsonObject> {
  const { citations } = await bench.call("kb_resolve_citations", { chunk_ids: [id], format });
  return (citations as JsonObject[])[0] ?? {};
}

test("a citation goes down to the lines and bytes of the file, which still says so", async () => {
  const bench = await openGuide();
  const cited = await resolve(bench, await findChunk(bench, "lion sleeps"));
  const [start, end] = [Number(cited["byte_start"]), Number(cited["byte_end"])];
  const quote = Buffer.from(GUIDE).subarray(start, end).toString();
  expect(cited).toMatchObject({
    collection: "zoo",
    version: 1,
    current: true,
    source: "docs/guide.md",
    title: "Guide to Löwen & 100% of {braces}",
    authors: ["Jane Doe", "Alex de la Roe"],
    date: "2024-05-06",
    license: "CC-BY-SA-4.0",
    license_terms: { attribution: true, commercial: true, derivatives: true, share_alike: true },
    verified: true,
  });
  expect(quote).toContain("The lion sleeps by day");
  expect(
    GUIDE.split("\n")
      .slice(Number(cited["line_start"]) - 1, Number(cited["line_end"]))
      .join("\n"),
  ).toContain("The lion sleeps by day");
  expect(cited["anchor"]).toBe(`docs/guide.md#L${Number(cited["line_start"])}-L${Number(cited["line_end"])}`);
});

test("a text that moved inside of its file is not verified, and the new lines are said", async () => {
  const bench = await openGuide();
  const id = await findChunk(bench, "lion sleeps");
  const before = await resolve(bench, id);
  await bench.write("docs/guide.md", `one\ntwo\nthree\n${GUIDE}`);
  expect(await resolve(bench, id)).toMatchObject({
    verified: false,
    moved: {
      line_start: Number(before["line_start"]) + 3,
      line_end: Number(before["line_end"]) + 3,
      byte_start: Number(before["byte_start"]) + 14,
    },
  });
});

test("a text that its file does not have any more is not verified, and what stands after it is no reason", async () => {
  const bench = await openGuide();
  const id = await findChunk(bench, "lion sleeps");
  await bench.write("docs/guide.md", `${GUIDE}\nOne more paragraph at the end.\n`);
  expect(await resolve(bench, id)).toMatchObject({ verified: true });
  await bench.write("docs/guide.md", GUIDE.replace("sleeps by day", "sleeps by noon"));
  expect(await resolve(bench, id)).toMatchObject({
    verified: false,
    reason: "the file has changed and no longer contains the passage",
  });
});

test("a deleted file no longer contains the passage, and a text without file cannot be verified", async () => {
  const bench = await openGuide();
  const id = await findChunk(bench, "lion sleeps");
  await bench.remove("docs/guide.md");
  expect(await resolve(bench, id)).toMatchObject({ verified: false, reason: "the file no longer exists" });
  await bench.call("kb_ingest", { collection: "zoo", texts: [{ name: "bear.md", text: "The bear eats much honey." }] });
  expect(await resolve(bench, await findChunk(bench, "bear honey"))).toMatchObject({
    verified: null,
    reason: "it was ingested as text and has no file",
  });
});

test("a passage of an older version still resolves, and says its version; an unknown id is missing", async () => {
  const bench = await openGuide();
  const id = await findChunk(bench, "lion sleeps");
  await bench.write("docs/guide.md", GUIDE.replace("sleeps by day", "sleeps by noon"));
  await bench.call("kb_ingest", { collection: "zoo", paths: ["docs"] });
  expect(await resolve(bench, id)).toMatchObject({ version: 1, current: false, verified: false });
  expect(await resolve(bench, await findChunk(bench, "lion noon"))).toMatchObject({ version: 2, current: true });
  const { citations, missing } = await bench.call("kb_resolve_citations", { chunk_ids: ["chk_none", id] });
  expect([citations, missing]).toEqual([[expect.objectContaining({ chunk_id: id })], ["chk_none"]]);
});

test("a file outside of the roots is not read, whatever the database says", async () => {
  const bench = await openGuide();
  const id = await findChunk(bench, "lion sleeps");
  const store = await bench.context.store();
  await store.write((sql) => sql.run("UPDATE documents SET source = ?", "/etc/hostname"));
  const cited = await resolve(bench, id);
  expect(cited["verified"]).toBe(null);
  expect(cited["reason"]).toContain("outside the allowed folders");
});

test("every style names authors, title, date, version and place", async () => {
  const bench = await openGuide();
  const id = await findChunk(bench, "lion sleeps");
  const texts: Record<string, unknown> = {};
  for (const format of ["apa", "mla", "chicago", "ieee", "harvard"])
    texts[format] = (await resolve(bench, id, format))["text"];
  expect(texts).toEqual({
    apa: "Doe, J., & de la Roe, A. (2024, May 6). Guide to Löwen & 100% of {braces} (Version 1, lines 1–13). docs/guide.md",
    mla: "Doe, Jane, and Alex de la Roe. “Guide to Löwen & 100% of {braces}.” Version 1, 6 May 2024, lines 1–13, docs/guide.md.",
    chicago:
      "Doe, Jane, and Alex de la Roe. “Guide to Löwen & 100% of {braces}.” Version 1. May 6, 2024. Lines 1–13. docs/guide.md.",
    ieee: "J. Doe and A. de la Roe, “Guide to Löwen & 100% of {braces},” version 1, May 6, 2024, lines 1–13. File: docs/guide.md.",
    harvard:
      "Doe, J. and de la Roe, A. (2024) Guide to Löwen & 100% of {braces}. Version 1, lines 1–13. File: docs/guide.md.",
  });
});

test("an entry of BibTeX escapes what TeX would read, and one of RIS stands in lines of its own", async () => {
  const bench = await openGuide();
  const id = await findChunk(bench, "lion sleeps");
  expect((await resolve(bench, id, "bibtex"))["text"]).toBe(
    [
      "@misc{doe2024guide,",
      "  author = {Doe, Jane and de la Roe, Alex},",
      "  title = {{Guide to Löwen \\& 100\\% of \\{braces\\}}},",
      "  year = {2024},",
      "  month = may,",
      "  version = {1},",
      "  howpublished = {docs/guide.md},",
      "  note = {lines 1--13, licence CC-BY-SA-4.0}",
      "}",
    ].join("\n"),
  );
  expect((await resolve(bench, id, "ris"))["text"]).toBe(
    [
      "TY  - GEN",
      "AU  - Doe, Jane",
      "AU  - de la Roe, Alex",
      "TI  - Guide to Löwen & 100% of {braces}",
      "PY  - 2024",
      "DA  - 2024/05/06",
      "ET  - 1",
      "AV  - docs/guide.md",
      "C1  - CC-BY-SA-4.0",
      "N1  - lines 1–13",
      "ER  - ",
    ].join("\r\n"),
  );
});

test("packed documents are cited with the date that they say themselves, and a PDF by its pages", async () => {
  const bench = await openBench();
  const pages = [pageOf([12, "The heron stands"]), pageOf([12, "in the pond and waits."])];
  const info = "<</CreationDate(D:20260304050607+01'00')/ModDate(D:20270101)>>";
  const core = "<cp:coreProperties><dcterms:created>2025-01-02T03:04:05Z</dcterms:created></cp:coreProperties>";
  await bench.write("docs/heron.pdf", pdfOfPages(pages, "/Info 4 0 R", [info]));
  const body = "<w:p><w:r><w:t>The stork nests on roofs.</w:t></w:r></w:p>";
  await bench.write("docs/stork.docx", makeDocx(body, { "docProps/core.xml": core }));
  for (const name of ["heron.pdf", "stork.docx"])
    await utimes(path.join(bench.folder, "docs", name), new Date("1999-01-01"), new Date("1999-01-01"));
  await bench.call("kb_create", { name: "zoo" });
  await bench.call("kb_ingest", { collection: "zoo", paths: ["docs"] });
  const heron = await resolve(bench, await findChunk(bench, "heron"), "ris");
  expect(heron["date"]).toBe("2026-03-04");
  expect((heron["text"] as string).split("\r\n")).toEqual(
    expect.arrayContaining(["PY  - 2026", "DA  - 2026/03/04", "SP  - 1", "EP  - 2", "N1  - pages 1–2"]),
  );
  expect(await resolve(bench, await findChunk(bench, "stork"))).toMatchObject({ date: "2025-01-02" });
});

test("entries of one document have keys of their own", async () => {
  const bench = await openBench();
  await bench.call("kb_create", { name: "zoo", chunk_size: 64, chunk_overlap: 0 });
  const text = Array.from(
    { length: 60 },
    (_, at) => `# Part ${at}\n\nSentence number ${at} is about lions and ${"more ".repeat(30)}words.`,
  );
  await bench.call("kb_ingest", { collection: "zoo", texts: [{ name: "a.md", text: text.join("\n\n") }] });
  const { results } = await bench.call("kb_hybrid_search", { collection: "zoo", query: "lions", top_k: 40 });
  const ids = (results as { chunk_id: string }[]).map((hit) => hit.chunk_id);
  const { citations } = await bench.call("kb_resolve_citations", { chunk_ids: ids, format: "bibtex" });
  const keys = (citations as { text: string }[]).map(({ text: entry }) => /@misc\{([^,]+),/.exec(entry)?.[1]);
  expect(keys.length).toBe(40);
  expect(new Set(keys).size).toBe(40);
  expect(keys.every((key) => /^[a-z0-9]+$/.test(key ?? ""))).toBe(true);
});

test("what cannot be the id of a passage is said, before anything is looked up", async () => {
  const bench = await openBench();
  for (const id of ["a/b", "a\\b", "..", "", "x".repeat(256)])
    expect((await bench.fail("kb_resolve_citations", { chunk_ids: ["chk_1", id] })).code).toBe("INVALID_ARGUMENT");
});

test("many authors are shortened as each style does it, and months as well", () => {
  const cited = {
    title: "Guide",
    authors: Array.from({ length: 22 }, (_, at) => ({ family: `Name${at + 1}`, given: "Jo" })),
    date: [2024, 9, 6],
    version: 1,
    url: undefined,
    source: "a.md",
    license: undefined,
    span: { line_start: 1, line_end: 1, byte_start: 0, byte_end: 1 },
    looked: [2024, 9, 7],
  };
  expect(STYLES.ieee(cited)).toBe("J. Name1 et al., “Guide,” version 1, Sep. 6, 2024, line 1. File: a.md.");
  expect(STYLES.mla(cited)).toBe("Name1, Jo, et al. “Guide.” Version 1, 6 Sept. 2024, line 1, a.md.");
  expect(STYLES.harvard(cited)).toBe("Name1, J. et al. (2024) Guide. Version 1, line 1. File: a.md.");
  expect(STYLES.chicago(cited)).toMatch(/^Name1, Jo, Jo Name2, .*, Jo Name7, et al\. “Guide\.”/);
  expect(STYLES.apa(cited)).toMatch(/, Name19, J\., \. \. \. Name22, J\. \(2024, September 6\)\. Guide /);
  expect(STYLES.apa({ ...cited, authors: [], date: [] })).toBe("Guide (Version 1, line 1). (n.d.). a.md");
});
