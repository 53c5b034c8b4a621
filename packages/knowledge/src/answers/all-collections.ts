import { ToolError } from "@toolwright/engine";
import type { Base } from "../base.js";
import type { WantedCollection } from "../search/wish.js";

const MOST = 10;

/** All collections that can answer, for a question that names none. Throws where that is none, or more than one answer is from. */
export async function allCollections(base: Base, version?: number): Promise<readonly WantedCollection[]> {
  const refuse = (reason: string): never => {
    throw new ToolError(`Cannot answer: ${reason}`, { code: "INVALID_ARGUMENT" });
  };
  if (version !== undefined) refuse('say whose version is meant, by "collection".');
  const ledger = await base.ledger();
  const rows = await ledger.read((sql) =>
    sql.all(
      `SELECT name FROM collections
       WHERE name NOT LIKE '#%' AND coalesce(pinned, active) IS NOT NULL ORDER BY name LIMIT ${MOST + 1}`,
    ),
  );
  if (rows.length === 0) refuse("no collection can answer yet. kb_ingest fills one.");
  if (rows.length > MOST)
    refuse(`there are more than ${MOST} collections. Say from which, by "collection" or "collection_ids".`);
  return rows.map((row) => ({ name: String(row["name"]) }));
}
