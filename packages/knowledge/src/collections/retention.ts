import type { Base } from "../base.js";
import { numberOf } from "../store/rows.js";
import { collectGarbage } from "./garbage.js";

/** How many runs of a collection are remembered. */
const KEPT_RUNS = 20;

/** Takes the oldest versions away, beyond those that the settings keep, and what only they used. Whoever calls it holds the collection. */
export async function retain(base: Base, collection: number, signal?: AbortSignal): Promise<readonly number[]> {
  const ledger = await base.ledger();
  const archived = await ledger.write(async (sql) => {
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
      .filter((row, at) => at >= base.settings.keep_versions && row["status"] !== "building")
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
  await collectGarbage(ledger, collection, signal);
  return archived;
}
