import { expect, test } from "vitest";
import { type Bench, openBench } from "../kit.js";

const LINES = Array.from({ length: 5000 }, (_, index) => `Line ${index + 1} of the ❤ and the 😀 is here.`);
const TEXT = `${LINES.join("\n")}\n`;

async function open(): Promise<Bench & { readonly id: string }> {
  const bench = await openBench();
  await bench.call("kb_create", { name: "docs" });
  const texts = [
    { name: "long.txt", text: TEXT, title: "Long", url: "https://example.org/long", metadata: { team: "blue" } },
  ];
  await bench.call("kb_ingest", { collection: "docs", texts, embed: false });
  const found = (await bench.call("kb_hybrid_search", {
    collection: "docs",
    query: "line",
    top_k: 1,
    mode: "words",
  })) as {
    results: { document_id: string }[];
  };
  return { ...bench, id: found.results[0]?.document_id ?? "" };
}

test("a document has all that is known of it", async () => {
  const { call, id } = await open();
  expect(id).toMatch(/^doc_[0-9a-f]{16}$/);
  expect(await call("kb.get_document", { doc_id: id, range: { start: 0, end: 6 } })).toMatchObject({
    doc_id: id,
    collection_id: "docs",
    version: 1,
    source: "long.txt",
    title: "Long",
    source_url: "https://example.org/long",
    content_type: "text",
    encoding: "utf-8",
    bytes: Buffer.byteLength(TEXT),
    characters: TEXT.length,
    lines: 5000,
    metadata: { team: "blue" },
    range: { start: 0, end: 6, unit: "characters" },
    text: "Line 1",
  });
});

test("any range of characters or lines is what stands there", async () => {
  const { call, id } = await open();
  const read = async (start: number, end: number, unit: string): Promise<string> =>
    ((await call("kb_get_document", { doc_id: id, range: { start, end, unit } })) as { text: string }).text;
  for (const [start, end] of [
    [0, 0],
    [65_530, 65_545],
    [100_000, 170_000],
    [TEXT.length - 3, TEXT.length + 50],
  ] as const) {
    // Half a character is not given.
    const from = isLow(TEXT, start) ? start - 1 : start;
    const to = isLow(TEXT, end) ? end - 1 : end;
    expect(await read(start, end, "characters")).toBe(TEXT.slice(from, to));
  }
  for (const [first, last] of [
    [1, 1],
    [1680, 1720],
    [3333, 3333],
    [4990, 6000],
  ] as const)
    expect(await read(first, last, "lines")).toBe(LINES.slice(first - 1, last).join("\n"));
});

const isLow = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text[at] ?? "");

test("passages are listed with where they are", async () => {
  const { call, id } = await open();
  const shown = await call("kb_get_document", { doc_id: id, chunks: true, range: { start: 0, end: 10 } });
  const chunks = shown["chunks"] as { chunk_id: string; position: number; start: number; end: number }[];
  expect(chunks).toHaveLength(Number(shown["chunk_count"]));
  expect(chunks[0]).toMatchObject({ position: 0, start: 0 });
  expect(chunks[0]?.chunk_id).toMatch(/^chk_[0-9a-f]{24}$/);
  expect(chunks.at(-1)?.end).toBe(TEXT.length - 1);
});

test.each([
  [{ range: { start: 5, end: 4 } }, "INVALID_ARGUMENT"],
  [{ range: { start: 0, end: 1_000_001 } }, "INVALID_ARGUMENT"],
  [{ version: 7 }, "NOT_FOUND"],
])("%j is refused", async (options, code) => {
  const { fail, id } = await open();
  expect(await fail("kb_get_document", { doc_id: id, ...options })).toMatchObject({ code });
});

test.each(["doc_0000000000000000", "../etc", ""])("the id %j, which is none, is refused", async (id) => {
  const { fail } = await open();
  expect(await fail("kb_get_document", { doc_id: id })).toMatchObject({ code: "NOT_FOUND" });
});
