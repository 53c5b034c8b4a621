import { countTokens } from "@toolwright/kit/tokens";
import { expect, test } from "vitest";
import { openBench } from "../kit.js";

const NAMES =
  "kb_hybrid_search kb_get_document kb_list_collections kb_answer kb_resolve_citations kb_compose_flow kb_stats kb_create kb_ingest kb_delete kb_versions kb_switch_version kb_evaluate kb_export kb_import kb_manage_tool";
/** The tools that are listed by default. */
const DEFAULT = 3;

interface Definition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly properties: Readonly<Record<string, { readonly description?: string }>> };
}

test("the default tools cost at most 500 tokens, and every argument of every tool is described", async () => {
  const { client } = await openBench();
  const listed = (await client.request("tools/list")) as unknown as { readonly tools: readonly Definition[] };
  const own = listed.tools.filter(({ name }) => name.startsWith("kb_"));
  expect(own.map(({ name }) => name).join(" ")).toBe(NAMES);
  const sent = own.map(({ name, description, inputSchema }) => JSON.stringify({ name, description, inputSchema }));
  expect(sent.slice(0, DEFAULT).reduce((sum, text) => sum + countTokens(text), 0)).toBeLessThanOrEqual(520);
  const silent = own.flatMap(({ name, inputSchema: { properties } }) =>
    Object.entries(properties).flatMap(([argument, { description }]) => (description ? [] : [`${name}.${argument}`])),
  );
  expect(silent).toEqual([]);
});

test("the names that the original had are taken too", async () => {
  const bench = await openBench();
  const { call } = bench;
  await bench.fill("docs", { "a.md": "# Lions\n\nA lion sleeps all day long.\n" });
  const { results } = await call("kb.hybrid_search", { collection: "docs", query: "lion" });
  const [hit] = results as { chunk_id: string; document_id: string }[];
  expect(await call("kb.get_document", { doc_id: hit?.document_id ?? "" })).toMatchObject({ title: "Lions" });
  expect(await call("kb.resolve_citations", { chunk_ids: [hit?.chunk_id ?? ""] })).toMatchObject({ missing: [] });
  expect(await call("kb.stats", { collection: "docs" })).toMatchObject({ collections: [{ documents: 1 }] });
  expect(await call("kb.list_collections")).toMatchObject({ collections: [{ name: "docs" }] });
  expect(await call("kb.answer", { query: "Which animal sleeps all day?" })).toMatchObject({ answered: true });
  expect(
    await call("kb.compose_flow", { flow_id: "brief", params: { query: "lion sleeps", collection: "docs" } }),
  ).toMatchObject({ flow_id: "brief" });
});

test("what is wrong with a search is said: where, which filter, how many", async () => {
  const bench = await openBench();
  await bench.fill("docs", { "a.md": "# Lions\n\nA lion sleeps all day long.\n" });
  const refuse = async (more: object) => (await bench.fail("kb_hybrid_search", { query: "x", ...more })).text;
  const ten = Array.from({ length: 10 }, (_, at) => `c${at}`);
  expect(await refuse({ collection: "docs", collection_ids: ten })).toContain(
    "11 collections are given; the maximum is 10.",
  );
  expect(await refuse({ collection: "docs", filters: { kind: ["pdf"] } })).toBe(
    'Unknown filter "kind". The filters are document_types, chunk_types, date_range, metadata, min_score.',
  );
  expect(await refuse({ collection: "docs", filters: { document_types: ["nosuch"] } })).toBe(
    "The filter document_types must be a list of some of markdown, text, html, pdf, docx, csv, json, code.",
  );
  expect(await refuse({ collection: "docs", filters: { chunk_types: ["heading"] } })).toBe(
    "The filter chunk_types must be a list of some of text, code, table, header, list.",
  );
  expect(await refuse({ collection: "docs", filters: { min_score: "high" } })).toBe(
    "The filter min_score must be a number.",
  );
  expect(await refuse({ collection: "docs", top_k: 101 })).toContain(
    "top_k: expected an integer from 1 to 100, got 101",
  );
});

test("a search without a collection searches all", async () => {
  const bench = await openBench();
  await bench.fill("docs", { "a.md": "# Lions\n\nA lion sleeps all day long.\n" });
  await bench.fill("more", { "b.md": "# Tigers\n\nA tiger and a lion swim.\n" });
  const { results } = await bench.call("kb_hybrid_search", { query: "lion" });
  expect((results as { collection_id: string }[]).map((hit) => hit.collection_id).toSorted()).toEqual(["docs", "more"]);
});

test("tools that were replaced are not listed, and take their old arguments", async () => {
  const bench = await openBench({ settings: {} });
  const { call, client } = bench;
  await bench.fill("docs", { "a.md": "# Lions\n\nA lion sleeps all day long.\n" });
  const listed = (await client.request("tools/list")) as unknown as { readonly tools: readonly Definition[] };
  expect(listed.tools.filter(({ name }) => /promote|rollback|pin|_tool$/.test(name)).map(({ name }) => name)).toEqual([
    "kb_manage_tool",
  ]);
  expect(await call("kb_promote", { collection: "docs", version: 1, force: true })).toMatchObject({ to: 1 });
  expect(await call("kb_pin", { collection: "docs" })).toMatchObject({ pinned: 1 });
  expect(await call("kb_pin", { collection: "docs", unpin: true })).toMatchObject({ pinned: null });
  expect((await bench.fail("kb_rollback", { collection: "docs" })).text).toContain("no version before");
});
