import type { KnowledgeContext } from "../../src/knowledge-context.js";
import { search } from "../../src/search/search.js";

/** All that a version has, without the numbers that depend on how it came about. */
export async function contentsOf(context: KnowledgeContext, version: number): Promise<readonly string[]> {
  const store = await context.store();
  const rows = await store.read((sql) =>
    sql.all(
      `SELECT d.source, r.fingerprint, c.id, c.ordinal, c.content FROM members m JOIN revisions r ON r.id = m.revision
       JOIN documents d ON d.id = r.document JOIN chunks c ON c.revision = r.id WHERE m.version = ? ORDER BY d.source, c.ordinal`,
      version,
    ),
  );
  return rows.map((row) => Object.values(row).join(" "));
}

/** What is found for some words, with the scores. */
export async function answersOf(context: KnowledgeContext, query: string, mode: "words" | "vector" | "hybrid") {
  // Which of equal passages give further words depends on the order in which they came.
  const options = { query, collections: [{ name: "docs" }], top_k: 100, mode, expand: false };
  const { results, warnings } = await search(context, options);
  return { warnings, found: results.map(({ chunk_id: id, score }) => `${id} ${score.toFixed(6)}`) };
}

/** How much there is that no version uses. */
export async function leftOvers(context: KnowledgeContext): Promise<Record<string, unknown>> {
  const store = await context.store();
  const count = (text: string): Promise<unknown> =>
    store.read(async (sql) => Number((await sql.get(`SELECT count(*) AS count FROM ${text}`))?.["count"]));
  return {
    revisions: await count("revisions WHERE id NOT IN (SELECT revision FROM members)"),
    documents: await count("documents WHERE id NOT IN (SELECT document FROM revisions)"),
    chunks: await count("chunks WHERE revision NOT IN (SELECT id FROM revisions)"),
    segments: await count("segments WHERE id NOT IN (SELECT segment FROM version_segments)"),
    terms: await count("segment_terms WHERE segment NOT IN (SELECT id FROM segments)"),
    embeddings: await count("embeddings WHERE hash NOT IN (SELECT hash FROM chunks)"),
    archived: await count("versions WHERE status = 'archived'"),
  };
}

/** Nothing is left over. */
export const NOTHING = { revisions: 0, documents: 0, chunks: 0, segments: 0, terms: 0, embeddings: 0, archived: 0 };
