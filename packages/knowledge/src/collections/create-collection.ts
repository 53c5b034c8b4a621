import { findActiveRun } from "../ingest/run-lease.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { noteChange } from "../store/knowledge-store.js";
import { type Collection, checkCut } from "./collection.js";
import { collectionBusy, collectionExists, invalidCollectionName } from "./errors.js";
import { findCollection, namesOf } from "./find-collection.js";
import { collectGarbage, removeEmbeddings } from "./garbage.js";

/** The options of a new collection. */
export interface CreateCollectionOptions {
  readonly name: string;
  readonly description?: string | undefined;
  readonly chunk_size?: number | undefined;
  readonly chunk_overlap?: number | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** The default size and overlap of passages, in tokens. */
const CHUNK_SIZE = 512;
const CHUNK_OVERLAP = 50;
const NAME = /^[A-Za-z0-9_-]{1,100}$/;

/** Creates an empty collection. */
export async function createCollection(
  context: KnowledgeContext,
  options: CreateCollectionOptions,
): Promise<Collection> {
  const { name, description = "", metadata = {} } = options;
  if (!NAME.test(name)) throw invalidCollectionName(name);
  const cut = checkCut({
    size: options.chunk_size ?? CHUNK_SIZE,
    overlap: options.chunk_overlap ?? Math.min(CHUNK_OVERLAP, (options.chunk_size ?? Infinity) / 4),
  });
  const store = await context.store();
  const at = context.now();
  return store.write(async (sql) => {
    const names = new Set(await namesOf(sql));
    if (names.has(name)) throw collectionExists(name, freeName(name, names));
    await sql.run(
      "INSERT INTO collections (name, description, chunk_size, chunk_overlap, metadata, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
      name,
      description,
      cut.size,
      cut.overlap,
      JSON.stringify(metadata),
      at,
      at,
    );
    await noteChange(sql, { at, collection: name, kind: "created" });
    return findCollection(sql, name);
  });
}

function freeName(name: string, names: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) {
    const free = `${name.slice(0, 90)}-${number}`;
    if (!names.has(free)) return free;
  }
}

/** What was deleted with a collection. */
export interface Deleted {
  readonly collection: string;
  readonly versions: number;
  readonly documents: number;
}

/** Deletes a collection with all its data. It disappears at once; its data is deleted in small steps. */
export async function deleteCollection(context: KnowledgeContext, name: string): Promise<Deleted> {
  const store = await context.store();
  const at = context.now();
  const deleted = await store.write(async (sql) => {
    const { id } = await findCollection(sql, name);
    const holder = await findActiveRun(sql, id, at);
    if (holder !== undefined) throw collectionBusy("delete", name, holder);
    const counted = await sql.get(
      "SELECT (SELECT count(*) FROM versions WHERE collection = ?) AS versions, (SELECT count(*) FROM documents WHERE collection = ?) AS documents",
      id,
      id,
    );
    // The name is free immediately. Valid names cannot contain "#".
    await sql.run("UPDATE collections SET name = ?, active = NULL, pinned = NULL WHERE id = ?", `#${id}`, id);
    await sql.run("UPDATE versions SET status = 'archived' WHERE collection = ?", id);
    await sql.run("DELETE FROM bound_tools WHERE collection = ?", id);
    await noteChange(sql, { at, collection: name, kind: "deleted" });
    return { collection: name, versions: Number(counted?.["versions"]), documents: Number(counted?.["documents"]) };
  });
  await removeDeleted(context);
  return deleted;
}

/** Removes the data of deleted collections, including those whose deletion was interrupted. */
async function removeDeleted(context: KnowledgeContext): Promise<void> {
  const store = await context.store();
  const rows = await store.read((sql) => sql.all("SELECT id FROM collections WHERE name LIKE '#%'"));
  for (const row of rows) {
    await collectGarbage(store, Number(row["id"]));
    await store.write((sql) => sql.run("DELETE FROM collections WHERE id = ?", Number(row["id"])));
  }
  if (rows.length > 0) await removeEmbeddings(store);
}
