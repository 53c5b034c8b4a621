import { liveRun } from "../ingest/run-lease.js";
import type { Base } from "../knowledge-context.js";
import { noteChange } from "../store/knowledge-store.js";
import { type Collection, checkCut } from "./collection.js";
import { atWork, nameTaken, wrongName } from "./errors.js";
import { findCollection, namesOf } from "./find-collection.js";
import { collectGarbage, removeEmbeddings } from "./garbage.js";

/** What a new collection is. */
export interface CreateWish {
  readonly name: string;
  readonly description?: string | undefined;
  readonly chunk_size?: number | undefined;
  readonly chunk_overlap?: number | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

const NAME = /^[A-Za-z0-9_-]{1,100}$/;

/** Makes a collection that has nothing in it yet. */
export async function createCollection(base: Base, wish: CreateWish): Promise<Collection> {
  const { name, description = "", metadata = {} } = wish;
  if (!NAME.test(name)) throw wrongName(name);
  const cut = checkCut({
    size: wish.chunk_size ?? base.settings.chunk_size,
    overlap: wish.chunk_overlap ?? Math.min(base.settings.chunk_overlap, (wish.chunk_size ?? Infinity) / 4),
  });
  const ledger = await base.ledger();
  const at = base.now();
  return ledger.write(async (sql) => {
    const names = new Set(await namesOf(sql));
    if (names.has(name)) throw nameTaken(name, freeName(name, names));
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

/** What went with a collection. */
export interface Deleted {
  readonly collection: string;
  readonly versions: number;
  readonly documents: number;
}

/** Takes a collection away with all that is in it. It is gone for everybody at once; what it had goes in small steps. */
export async function deleteCollection(base: Base, name: string): Promise<Deleted> {
  const ledger = await base.ledger();
  const at = base.now();
  const deleted = await ledger.write(async (sql) => {
    const { id } = await findCollection(sql, name);
    const holder = await liveRun(sql, id, at);
    if (holder !== undefined) throw atWork("delete", name, holder);
    const counted = await sql.get(
      "SELECT (SELECT count(*) FROM versions WHERE collection = ?) AS versions, (SELECT count(*) FROM documents WHERE collection = ?) AS documents",
      id,
      id,
    );
    // Another one may have the name at once, and no name has this sign.
    await sql.run("UPDATE collections SET name = ?, active = NULL, pinned = NULL WHERE id = ?", `#${id}`, id);
    await sql.run("UPDATE versions SET status = 'archived' WHERE collection = ?", id);
    await sql.run("DELETE FROM bound_tools WHERE collection = ?", id);
    await noteChange(sql, { at, collection: name, kind: "deleted" });
    return { collection: name, versions: Number(counted?.["versions"]), documents: Number(counted?.["documents"]) };
  });
  await removeDeleted(base);
  return deleted;
}

/** Takes away what is left of deleted collections, also of those whose deletion was cut short. */
async function removeDeleted(base: Base): Promise<void> {
  const ledger = await base.ledger();
  const rows = await ledger.read((sql) => sql.all("SELECT id FROM collections WHERE name LIKE '#%'"));
  for (const row of rows) {
    await collectGarbage(ledger, Number(row["id"]));
    await ledger.write((sql) => sql.run("DELETE FROM collections WHERE id = ?", Number(row["id"])));
  }
  if (rows.length > 0) await removeEmbeddings(ledger);
}
