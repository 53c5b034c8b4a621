import { expect, test } from "vitest";
import { leftOvers, NOTHING } from "../ingest/contents.js";
import { openBench } from "../kit.js";

const TABLES = [
  "collections",
  "versions",
  "documents",
  "revisions",
  "texts",
  "maps",
  "members",
  "chunks",
  "embeddings",
  "segments",
  "segment_revisions",
  "segment_columns",
  "segment_terms",
  "version_segments",
  "runs",
  "outcomes",
];

test("of a deleted collection nothing is left, and another one loses nothing", async () => {
  const { context, call, fill } = await openBench();
  const store = await context.store();
  const counts = async (): Promise<unknown> => {
    const found: Record<string, number> = {};
    for (const table of TABLES) {
      const row = await store.read((sql) => sql.get(`SELECT count(*) AS count FROM ${table}`));
      found[table] = Number(row?.["count"]);
    }
    return found;
  };
  await fill("kept", { "a.md": "# Shared\n\nThe same words.", "b.md": "Other words." });
  const before = await counts();
  await fill("gone", { "a.md": "# Shared\n\nThe same words.", "c.md": "More words." });
  await call("kb_ingest", { collection: "gone", texts: [{ name: "c.md", text: "Still more words." }] });
  expect(await call("kb_delete", { collection: "gone" })).toEqual({ collection: "gone", versions: 2, documents: 2 });
  expect(await counts()).toEqual(before);
  await fill("gone", { "a.md": "A new one may have the name." });
  const { results } = (await call("kb_hybrid_search", { collection: "kept", query: "same words" })) as {
    results: object[];
  };
  expect(results).toHaveLength(2);
});

test("old versions go with all that only they used; the active and the pinned one stay", async () => {
  const { context, call, fill } = await openBench({ settings: { keepVersions: 2 } });
  await fill("docs", { "a.md": "Text 1.", "b.md": "It stays." });
  await call("kb_pin", { collection: "docs", version: 1 });
  for (let number = 2; number <= 6; number += 1)
    await call("kb_ingest", { collection: "docs", texts: [{ name: "a.md", text: `Text ${number}.` }] });
  const { versions } = (await call("kb_versions", { collection: "docs" })) as { versions: { version: number }[] };
  expect(versions.map(({ version }) => version)).toEqual([6, 5, 1]);
  expect(await leftOvers(context)).toEqual(NOTHING);
  const store = await context.store();
  const texts = await store.read((sql) => sql.all("SELECT content FROM chunks ORDER BY content"));
  expect(texts.map(({ content }) => content)).toEqual(["It stays.", "Text 1.", "Text 5.", "Text 6."]);
});

test("many small segments become one, and every passage is found once all the while", async () => {
  const { context, call, fill } = await openBench();
  await fill("docs", { "t0.md": "Words of text 0." });
  const store = await context.store();
  for (let number = 1; number <= 10; number += 1) {
    await call("kb_ingest", {
      collection: "docs",
      texts: [{ name: `t${number}.md`, text: `Words of text ${number}.` }],
    });
    const row = await store.read((sql) =>
      sql.get("SELECT count(*) AS count FROM version_segments WHERE version = ?", number + 1),
    );
    expect(Number(row?.["count"])).toBe(number < 8 ? number + 1 : number - 7);
    const options = { collection: "docs", query: "words", mode: "words", top_k: 100 };
    const { results } = (await call("kb_hybrid_search", options)) as { results: { content: string }[] };
    expect(new Set(results.map(({ content }) => content)).size).toBe(number + 1);
    expect(results).toHaveLength(number + 1);
  }
});
