import { expect, test } from "vitest";
import { openBench } from "../kit.js";

/** An embedder that is not there: the port is one that nobody listens at. */
const OTHER = { kind: "ollama", url: "http://127.0.0.1:9", model: "other" };

test("a version is asked with the embedder that made it, though the settings name another one by now", async () => {
  const { state, fill } = await openBench();
  await fill("docs", { "a.md": "The heron fishes.", "b.md": "The kettle boils." });
  const { call } = await openBench({ state, settings: { embedder: OTHER } });
  const answer = await call("kb_hybrid_search", { query: "a bird that catches fish", collection: "docs" });
  expect(answer).toMatchObject({ embedder: "static-en-2", warnings: [] });
});

test("an embedder that is none of ours is that of the settings, and each is opened once", async () => {
  const { context } = await openBench();
  const usual = await context.embedder();
  expect(await context.embedder("static-en-2")).toBe(usual);
  expect(await context.embedder("ollama/other")).toBe(usual);
});

test("vectors of the table that was built in before are never mixed with those of today's, and are made anew by the next ingest", async () => {
  const { context, fill, state } = await openBench();
  await fill("docs", { "a.md": "The heron fishes.", "b.md": "The kettle boils." });
  const store = await context.store();
  await store.write(async (sql) => {
    for (const table of ["versions", "segments", "embeddings"])
      await sql.run(`UPDATE ${table} SET embedder = 'static-en-1'`);
  });
  const { call } = await openBench({ state });
  const ask = { query: "a bird that catches fish", collection: "docs" };
  expect((await call("kb_hybrid_search", ask))["warnings"]).toEqual([
    "The vectors of docs were made by static-en-1, but the current embedder is static-en-2, so only words were searched. Set packs.knowledge.embedder to static-en-1, or ingest the collection again.",
  ]);
  const again = await call("kb_ingest", { collection: "docs", texts: [{ name: "a.md", text: "The heron fishes." }] });
  expect(again).toMatchObject({ version: 2, embedder: "static-en-2", documents: 2, warnings: [] });
  expect(await call("kb_hybrid_search", ask)).toMatchObject({ embedder: "static-en-2", warnings: [] });
});
