import type { Base } from "../base.js";
import { liveRun } from "../ingest/holder.js";
import { noteChange } from "../store/changes.js";
import { atWork } from "./faults.js";
import { findCollection } from "./find-collection.js";
import { collectGarbage, removeEmbeddings } from "./garbage.js";

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
