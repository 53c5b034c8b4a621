import type { Sql } from "@toolwright/kit/storage";
import { nearest } from "@toolwright/kit/text";
import type { KnowledgeContext } from "../knowledge-context.js";
import { numberOf, toCollection, toVersion } from "../store/rows.js";
import type { Collection, Version } from "./collection.js";
import { collectionNotFound, noActiveVersion, versionNotFound, versionNotReady } from "./errors.js";

/** Finds a collection by its name. Throws if there is none. */
export async function findCollection(sql: Sql, name: string): Promise<Collection> {
  const row = await sql.get("SELECT * FROM collections WHERE name = ?", name);
  // Collections that are being deleted have names that start with "#".
  if (row !== undefined && !name.startsWith("#")) return toCollection(row);
  throw collectionNotFound(name, nearest(name, await namesOf(sql)));
}

/** The names of all collections. */
export async function namesOf(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.all("SELECT name FROM collections WHERE name NOT LIKE '#%' ORDER BY name");
  return rows.map((row) => String(row["name"]));
}

/** Finds a version, whatever its status. Throws if there is none. */
export async function findVersion(sql: Sql, { id, name }: Collection, number: number): Promise<Version> {
  const row = await sql.get("SELECT * FROM versions WHERE collection = ? AND number = ?", id, number);
  if (row !== undefined) return toVersion(row);
  const known = await sql.all("SELECT number FROM versions WHERE collection = ? ORDER BY number", id);
  throw versionNotFound(
    name,
    number,
    known.map((each) => Number(each["number"])),
  );
}

/** Returns the requested version, else the pinned one, else the active one. Throws if it cannot be searched. */
export async function answeringVersion(sql: Sql, collection: Collection, asked?: number): Promise<Version> {
  const number = asked ?? collection.pinned ?? collection.active;
  if (number === null) throw noActiveVersion(collection.name);
  const version = await findVersion(sql, collection, number);
  if (version.status !== "ready") throw versionNotReady("ask", collection.name, number, version.status);
  return version;
}

/** The newest ready version that is newer than the active one and was never promoted; null if there is none. */
export async function waitingVersion(sql: Sql, { id, active }: Collection): Promise<number | null> {
  const row = await sql.get(
    "SELECT max(number) AS number FROM versions WHERE collection = ? AND status = 'ready' AND promoted_at IS NULL AND number > ?",
    id,
    active ?? 0,
  );
  return numberOf(row?.["number"]);
}

/** Lists the versions of a collection, newest first. */
export async function listVersions(
  context: KnowledgeContext,
  name: string,
): Promise<{
  readonly collection: Collection;
  readonly versions: readonly Version[];
  /** A newer version that is ready and was never promoted. */
  readonly waiting: number | null;
}> {
  const store = await context.store();
  return store.read(async (sql) => {
    const collection = await findCollection(sql, name);
    const rows = await sql.all("SELECT * FROM versions WHERE collection = ? ORDER BY number DESC", collection.id);
    return { collection, versions: rows.map(toVersion), waiting: await waitingVersion(sql, collection) };
  });
}
