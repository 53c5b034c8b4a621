import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { SqlStore, SqlValue } from "@toolwright/kit/storage";
import type { KnowledgeContext } from "../knowledge-context.js";
import { numberOf } from "../store/rows.js";

/** The number of rows per transaction: each takes a few milliseconds, so that other writers can proceed. */
const SLICES = { members: 5000, terms: 2000, columns: 20 } as const;
/** The page size of reads, and the number of passages that are removed together. */
const PAGE = 1000;
const CHUNKS_AT_ONCE = 500;

/** Removes data that no version of a collection uses. The caller must hold the collection's lease. */
export async function collectGarbage(store: SqlStore, collection: number, signal?: AbortSignal): Promise<void> {
  await removeVersions(store, collection, signal);
  await removeSegments(store, collection, signal);
  const removed = await removeRevisions(store, collection, signal);
  if (removed > 0) await removeEmbeddings(store, signal);
}

async function removeRevisions(store: SqlStore, collection: number, signal: AbortSignal | undefined): Promise<number> {
  let removed = 0;
  for (let after = ""; ; await yieldToEventLoop()) {
    signal?.throwIfAborted();
    const from = after;
    const { last, dead } = await store.read(async (sql) => {
      const page = "SELECT id FROM documents WHERE collection = ? AND id > ? ORDER BY id LIMIT ?";
      const documents = await sql.all(page, collection, from, PAGE);
      const unused = await sql.all(
        `SELECT id, chunks FROM revisions WHERE document IN (${page})
         AND NOT EXISTS (SELECT 1 FROM members m WHERE m.revision = revisions.id)`,
        collection,
        from,
        PAGE,
      );
      return { last: documents.at(-1)?.["id"], dead: unused };
    });
    if (last === undefined) return removed;
    after = String(last);
    while (dead.length > 0) {
      let chunks = 0;
      const some: number[] = [];
      while (dead.length > 0 && chunks < CHUNKS_AT_ONCE) {
        const row = dead.pop();
        chunks += Number(row?.["chunks"]) + 1;
        some.push(Number(row?.["id"]));
      }
      await store.write(async (sql) => {
        for (const id of some) await sql.run("DELETE FROM revisions WHERE id = ?", id);
      });
      removed += some.length;
      await yieldToEventLoop();
    }
    await store.write((sql) =>
      sql.run(
        `DELETE FROM documents WHERE collection = ? AND id > ? AND id <= ?
         AND NOT EXISTS (SELECT 1 FROM revisions r WHERE r.document = documents.id)`,
        collection,
        from,
        after,
      ),
    );
  }
}

/** Removes unused vectors. They are shared by all collections and keyed by content. */
export async function removeEmbeddings(store: SqlStore, signal?: AbortSignal): Promise<void> {
  for (let after = ""; ; await yieldToEventLoop()) {
    signal?.throwIfAborted();
    const from = after;
    const rows = await store.read((sql) =>
      sql.all("SELECT DISTINCT hash FROM embeddings WHERE hash > ? ORDER BY hash LIMIT ?", from, PAGE),
    );
    const last = rows.at(-1)?.["hash"];
    if (last === undefined) return;
    after = String(last);
    await store.write((sql) =>
      sql.run(
        `DELETE FROM embeddings WHERE hash > ? AND hash <= ?
         AND NOT EXISTS (SELECT 1 FROM chunks c WHERE c.hash = embeddings.hash)`,
        from,
        after,
      ),
    );
  }
}

/** Removes archived versions in several transactions. They are no longer searched. */
async function removeVersions(store: SqlStore, collection: number, signal: AbortSignal | undefined): Promise<void> {
  const rows = await store.read((sql) =>
    sql.all("SELECT number FROM versions WHERE collection = ? AND status = 'archived'", collection),
  );
  for (const row of rows) {
    const number = Number(row["number"]);
    await removeMembers(store, collection, number, signal);
    await store.write(async (sql) => {
      await sql.run("DELETE FROM evaluations WHERE collection = ? AND version = ?", collection, number);
      await sql.run("DELETE FROM versions WHERE collection = ? AND number = ?", collection, number);
    });
  }
}

/** Removes the documents of a version that is not searched. */
export async function removeMembers(
  store: SqlStore,
  collection: number,
  version: number,
  signal?: AbortSignal,
): Promise<void> {
  await repeat(store, signal, {
    limit: SLICES.members,
    text: `DELETE FROM members WHERE collection = ? AND version = ? AND revision IN (
      SELECT revision FROM members WHERE collection = ? AND version = ? LIMIT ?)`,
    values: [collection, version, collection, version],
  });
}

async function removeSegments(store: SqlStore, collection: number, signal: AbortSignal | undefined): Promise<void> {
  const { dialect, rows } = await store.read(async (sql) => ({
    dialect: sql.dialect,
    rows: await sql.all(
      "SELECT id FROM segments s WHERE collection = ? AND NOT EXISTS (SELECT 1 FROM version_segments v WHERE v.segment = s.id)",
      collection,
    ),
  }));
  for (const row of rows) {
    const id = Number(row["id"]);
    if (dialect === "postgres") await (await import("../search/postgres/vectors.js")).dropNearIndex(store, id);
    await repeat(store, signal, {
      limit: SLICES.terms,
      text: "DELETE FROM segment_terms WHERE segment = ? AND term IN (SELECT term FROM segment_terms WHERE segment = ? LIMIT ?)",
      values: [id, id],
    });
    await repeat(store, signal, {
      limit: SLICES.columns,
      text: `DELETE FROM segment_columns WHERE segment = ? AND (name, part) IN (
        SELECT name, part FROM segment_columns WHERE segment = ? LIMIT ?)`,
      values: [id, id],
    });
    await store.write((sql) => sql.run("DELETE FROM segments WHERE id = ?", id));
  }
}

/** Repeats a step until it removes nothing. Returns the number of removed rows. */
async function repeat(
  store: SqlStore,
  signal: AbortSignal | undefined,
  { limit, text, values }: { readonly limit: number; readonly text: string; readonly values: readonly SqlValue[] },
): Promise<number> {
  for (let total = 0; ; ) {
    signal?.throwIfAborted();
    const count = await store.write((sql) => sql.run(text, ...values, limit));
    total += count;
    if (count === 0) return total;
    await yieldToEventLoop();
  }
}

/** The number of runs that are kept per collection. */
const KEPT_RUNS = 20;

/**
 * Removes the oldest versions beyond the `keepVersions` setting, and the data that only they used. The caller must hold the
 * collection's lease.
 */
export async function retain(
  context: KnowledgeContext,
  collection: number,
  signal?: AbortSignal,
): Promise<readonly number[]> {
  const store = await context.store();
  const archived = await store.write(async (sql) => {
    const held = await sql.get("SELECT active, pinned FROM collections WHERE id = ?", collection);
    const rows = await sql.all(
      "SELECT number, status FROM versions WHERE collection = ? ORDER BY number DESC",
      collection,
    );
    const bound = await sql.all(
      "SELECT version FROM bound_tools WHERE collection = ? AND version IS NOT NULL",
      collection,
    );
    const kept = new Set([
      numberOf(held?.["active"]),
      numberOf(held?.["pinned"]),
      ...bound.map((row) => Number(row["version"])),
    ]);
    const dead = rows
      .filter((row, at) => at >= context.settings.keepVersions && row["status"] !== "building")
      .map((row) => Number(row["number"]))
      .filter((number) => !kept.has(number));
    for (const number of dead)
      await sql.run("UPDATE versions SET status = 'archived' WHERE collection = ? AND number = ?", collection, number);
    await sql.run(
      "DELETE FROM runs WHERE collection = ? AND status <> 'running' AND id NOT IN (SELECT id FROM runs WHERE collection = ? ORDER BY started_at DESC LIMIT ?)",
      collection,
      collection,
      KEPT_RUNS,
    );
    return dead;
  });
  await collectGarbage(store, collection, signal);
  return archived;
}
