import type { Base } from "../base.js";
import { runGates } from "../evaluation/gates.js";
import { noteChange } from "../store/changes.js";
import { gatesFailed, nothingActive, notReady } from "./faults.js";
import { findCollection, findVersion } from "./find-collection.js";

/** Lets one version answer whatever is promoted: the one that is named, else the one that answers now; null lets go of it. */
export async function pin(
  base: Base,
  name: string,
  wanted: number | null | undefined,
  signal?: AbortSignal,
): Promise<{ readonly collection: string; readonly pinned: number | null; readonly answers: number | null }> {
  const ledger = await base.ledger();
  if (typeof wanted === "number") await checkGates(base, name, wanted, signal);
  const at = base.now();
  return ledger.write(async (sql) => {
    const collection = await findCollection(sql, name);
    const pinned = wanted === undefined ? (collection.pinned ?? collection.active) : wanted;
    if (pinned === null && wanted === undefined) throw nothingActive(name);
    if (pinned !== null) {
      const { status } = await findVersion(sql, collection, pinned);
      if (status !== "ready") throw notReady("pin", name, pinned, status);
    }
    if (pinned !== collection.pinned) {
      await sql.run("UPDATE collections SET pinned = ?, updated_at = ? WHERE id = ?", pinned, at, collection.id);
      const kind = pinned === null ? "unpinned" : "pinned";
      await noteChange(sql, { at, collection: name, kind, note: String(pinned ?? collection.pinned) });
    }
    return { collection: name, pinned, answers: pinned ?? collection.active };
  });
}

/** A version that was never promoted has to pass its gates here. */
async function checkGates(base: Base, name: string, number: number, signal: AbortSignal | undefined): Promise<void> {
  const ledger = await base.ledger();
  const { status, promotedAt } = await ledger.read(async (sql) =>
    findVersion(sql, await findCollection(sql, name), number),
  );
  if (status !== "ready" || promotedAt !== null) return;
  const { checks } = await runGates(base, name, number, signal);
  const failed = checks.filter(({ passed }) => !passed);
  if (failed.length > 0) throw gatesFailed("pin", name, number, failed);
}
