import { ToolError } from "@toolwright/engine";
import type { Sql } from "@toolwright/kit/storage";
import { type Gates, runGates } from "../evaluation/gates.js";
import { smokeChecks } from "../evaluation/smoke.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { type ChangeKind, noteChange } from "../store/knowledge-store.js";
import { numberOf } from "../store/rows.js";
import type { Collection, Version } from "./collection.js";
import { gatesFailed, noActiveVersion, versionNotReady } from "./errors.js";
import { findCollection, findVersion } from "./find-collection.js";

/** The previous and the new active version. */
export interface Switch {
  readonly collection: string;
  readonly from: number | null;
  readonly to: number;
  readonly warnings: readonly string[];
}

/** The options for promoting a version. */
export interface PromoteOptions {
  /** Promotes a version that failed its gates; the override is recorded. */
  readonly force?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Makes a version active if it passes its gates: the given one, else the newest that is ready. */
export async function promote(
  context: KnowledgeContext,
  name: string,
  wanted?: number,
  { force = false, signal }: PromoteOptions = {},
): Promise<Switch> {
  const { collection, version } = await choose(context, name, wanted, newestReady);
  checkReady("promote", collection, version);
  const gates = await runGates(context, name, version.number, signal);
  await keepMeasures(context, collection, version, gates);
  const failed = gates.checks.filter(({ passed }) => !passed);
  if (failed.length > 0 && !force) throw gatesFailed("promote", name, version.number, failed);
  const despite = failed.map((check) => check.name).join(", ");
  return switchTo(context, name, version.number, "promoted", despite === "" ? "" : ` despite ${despite}`);
}

/**
 * Makes an earlier version active again: the given one, else the parent of the active version or the nearest one before it. It
 * passed or overrode its gates when it was promoted, so only its integrity is checked.
 */
export async function rollBack(
  context: KnowledgeContext,
  name: string,
  wanted?: number,
  signal?: AbortSignal,
): Promise<Switch> {
  const { collection, version } = await choose(context, name, wanted, newestBefore);
  checkReady("roll back to", collection, version);
  checkBefore(collection, version);
  const checks = await smokeChecks(context, collection, version, signal);
  const failed = checks.filter(({ passed }) => !passed);
  if (failed.length > 0) throw gatesFailed("roll back to", name, version.number, failed);
  return switchTo(context, name, version.number, "rolled_back", "");
}

/** Resolves the given version, or the default one. */
async function choose(
  context: KnowledgeContext,
  name: string,
  wanted: number | undefined,
  meant: (sql: Sql, collection: Collection) => Promise<number>,
): Promise<{ readonly collection: Collection; readonly version: Version }> {
  const store = await context.store();
  return store.read(async (sql) => {
    const collection = await findCollection(sql, name);
    return { collection, version: await findVersion(sql, collection, wanted ?? (await meant(sql, collection))) };
  });
}

/**
 * Returns the parent of the active version. If it was removed, returns the newest earlier version that was promoted; versions in
 * between were rolled back.
 */
async function newestBefore(sql: Sql, { id, name, active }: Collection): Promise<number> {
  const row = await sql.get(
    `SELECT max(number) AS number FROM versions WHERE collection = ? AND status = 'ready' AND promoted_at IS NOT NULL
     AND number <= coalesce((SELECT parent FROM versions WHERE collection = ? AND number = ?), ?)`,
    id,
    id,
    active ?? 0,
    (active ?? 0) - 1,
  );
  const number = numberOf(row?.["number"]);
  if (number !== null) return number;
  throw new ToolError(
    `Cannot roll ${JSON.stringify(name)} back: no version before ${active ?? "the first"} was promoted.`,
    {
      code: "CONFLICT",
      details: { collection: name, version: active },
    },
  );
}

function checkBefore({ name, active }: Collection, { number, promotedAt }: Version): void {
  const isOlder = active === null || number < active;
  if (isOlder && promotedAt !== null) return;
  const why = isOlder ? "it was never promoted" : `it is not older than version ${active}, which is active`;
  throw new ToolError(`Cannot roll ${JSON.stringify(name)} back to version ${number}: ${why}. Promote it instead.`, {
    code: "CONFLICT",
    details: { collection: name, version: number, active },
  });
}

/** Switches in one transaction, so that readers see either the old or the new version. */
async function switchTo(
  context: KnowledgeContext,
  name: string,
  to: number,
  kind: ChangeKind,
  remark: string,
): Promise<Switch> {
  const store = await context.store();
  const at = context.now();
  return store.write(async (sql) => {
    const collection = await findCollection(sql, name);
    const { id, active, pinned } = collection;
    checkReady(kind === "promoted" ? "promote" : "roll back to", collection, await findVersion(sql, collection, to));
    await sql.run("UPDATE collections SET active = ?, updated_at = ? WHERE id = ?", to, at, id);
    await sql.run("UPDATE versions SET promoted_at = ? WHERE collection = ? AND number = ?", at, id, to);
    await noteChange(sql, { at, collection: name, kind, note: `${active ?? "none"} → ${to}${remark}` });
    const isHidden = pinned !== null && pinned !== to;
    const warnings = isHidden ? [`Version ${pinned} is pinned, so searches still use it.`] : [];
    return { collection: name, from: active, to, warnings };
  });
}

/** Stores the evaluation results with the version. */
async function keepMeasures(
  context: KnowledgeContext,
  { id }: Collection,
  { number }: Version,
  gates: Gates,
): Promise<void> {
  const { measures, passed } = gates;
  if (measures === undefined) return;
  const store = await context.store();
  const quality = JSON.stringify({ ...measures, passed, at: context.now() });
  await store.write((sql) =>
    sql.run("UPDATE versions SET quality = ? WHERE collection = ? AND number = ?", quality, id, number),
  );
}

async function newestReady(sql: Sql, { id, name }: Collection): Promise<number> {
  const row = await sql.get("SELECT max(number) AS number FROM versions WHERE collection = ? AND status = 'ready'", id);
  const number = numberOf(row?.["number"]);
  if (number !== null) return number;
  throw new ToolError(`Cannot promote a version of ${JSON.stringify(name)}: none is ready. Ingest something first.`, {
    code: "CONFLICT",
    details: { collection: name },
  });
}

function checkReady(action: string, { name }: Collection, { number, status }: Version): void {
  if (status !== "ready") throw versionNotReady(action, name, number, status);
}

/** Pins a version regardless of promotions: the given one, else the active one; null unpins. */
export async function pin(
  context: KnowledgeContext,
  name: string,
  wanted: number | null | undefined,
  signal?: AbortSignal,
): Promise<{ readonly collection: string; readonly pinned: number | null; readonly answers: number | null }> {
  const store = await context.store();
  if (typeof wanted === "number") await checkGates(context, name, wanted, signal);
  const at = context.now();
  return store.write(async (sql) => {
    const collection = await findCollection(sql, name);
    const pinned = wanted === undefined ? (collection.pinned ?? collection.active) : wanted;
    if (pinned === null && wanted === undefined) throw noActiveVersion(name);
    if (pinned !== null) {
      const { status } = await findVersion(sql, collection, pinned);
      if (status !== "ready") throw versionNotReady("pin", name, pinned, status);
    }
    if (pinned !== collection.pinned) {
      await sql.run("UPDATE collections SET pinned = ?, updated_at = ? WHERE id = ?", pinned, at, collection.id);
      const kind = pinned === null ? "unpinned" : "pinned";
      await noteChange(sql, { at, collection: name, kind, note: String(pinned ?? collection.pinned) });
    }
    return { collection: name, pinned, answers: pinned ?? collection.active };
  });
}

/** A version that was never promoted must pass its gates before it is pinned. */
async function checkGates(
  context: KnowledgeContext,
  name: string,
  number: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const store = await context.store();
  const { status, promotedAt } = await store.read(async (sql) =>
    findVersion(sql, await findCollection(sql, name), number),
  );
  if (status !== "ready" || promotedAt !== null) return;
  const { checks } = await runGates(context, name, number, signal);
  const failed = checks.filter(({ passed }) => !passed);
  if (failed.length > 0) throw gatesFailed("pin", name, number, failed);
}
