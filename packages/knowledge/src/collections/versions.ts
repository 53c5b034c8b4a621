import type { Base } from "../base.js";
import { toVersion } from "../store/rows.js";
import type { Collection, Version } from "./collection.js";
import { findCollection, waitingVersion } from "./find-collection.js";

/** The versions of a collection, the newest first. */
export async function listVersions(
  base: Base,
  name: string,
): Promise<{
  readonly collection: Collection;
  readonly versions: readonly Version[];
  /** A newer one that is ready and was never let answer. */
  readonly waiting: number | null;
}> {
  const ledger = await base.ledger();
  return ledger.read(async (sql) => {
    const collection = await findCollection(sql, name);
    const rows = await sql.all("SELECT * FROM versions WHERE collection = ? ORDER BY number DESC", collection.id);
    return { collection, versions: rows.map(toVersion), waiting: await waitingVersion(sql, collection) };
  });
}
