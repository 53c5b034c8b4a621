import type { Sql, SqlRow } from "@toolwright/kit/storage";
import { isAbandoned } from "../ingest/run-lease.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { numberOf, textOf, toCollection } from "../store/rows.js";
import type { Collection, Version } from "./collection.js";
import { answeringVersion, findCollection, waitingVersion } from "./find-collection.js";

/** The statistics of a collection. */
export interface Stats {
  readonly collection: Collection;
  /** The version that the numbers describe; undefined if none is active. */
  readonly version: Version | undefined;
  readonly versions: number;
  /** A newer version that is ready and was never promoted. */
  readonly waiting: number | null;
  readonly health: Health;
  /** The results of its last evaluation. */
  readonly quality: Readonly<Record<string, unknown>> | null;
  /** The number of documents by kind, licence and language; only if one collection is requested. */
  readonly kinds?: Readonly<Record<string, number>>;
  readonly licenses?: Readonly<Record<string, number>>;
  readonly languages?: Readonly<Record<string, number>>;
  readonly lastRun: LastRun | undefined;
  /** "empty" means that no version was ever ready. */
  readonly status: "active" | "building" | "failed" | "empty";
  /** The ids of the flows that use it. */
  readonly flows: readonly string[];
}

/** The last ingest. */
export interface LastRun {
  readonly id: string;
  readonly status: string;
  readonly stage: string;
  readonly done: number;
  readonly total: number;
  readonly succeeded: number;
  readonly skipped: number;
  readonly failed: number;
  readonly message: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
}

/** Reads the statistics of one collection, in the given or the active version. */
export async function readCollectionStats(context: KnowledgeContext, name: string, asked?: number): Promise<Stats> {
  const store = await context.store();
  return store.read(async (sql) => {
    const stats = await readStats(sql, await findCollection(sql, name), asked, context.now());
    const count = (column: string): Promise<Record<string, number>> =>
      countBy(sql, stats.collection, stats.version, column);
    const [kinds, licenses, languages] = [await count("kind"), await count("license"), await count("language")];
    return { ...stats, kinds, licenses, languages };
  });
}

/** Reads the statistics of all collections, ordered by name. */
export async function readAllStats(context: KnowledgeContext): Promise<readonly Stats[]> {
  const [store, now] = [await context.store(), context.now()];
  return store.read(async (sql) => {
    const rows = await sql.all("SELECT * FROM collections WHERE name NOT LIKE '#%' ORDER BY name");
    const stats: Stats[] = [];
    for (const row of rows) stats.push(await readStats(sql, toCollection(row), undefined, now));
    return stats;
  });
}

async function readStats(sql: Sql, collection: Collection, asked: number | undefined, now: string): Promise<Stats> {
  const hasOne = asked !== undefined || collection.pinned !== null || collection.active !== null;
  const version = hasOne ? await answeringVersion(sql, collection, asked) : undefined;
  const [lastRun, evaluation] = [await readRun(sql, collection, now), await readEvaluation(sql, collection, version)];
  const counted = await sql.get("SELECT count(*) AS count FROM versions WHERE collection = ?", collection.id);
  return {
    collection,
    version,
    versions: Number(counted?.["count"]),
    waiting: await waitingVersion(sql, collection),
    health: computeHealth({ collection, version, lastRun, hasPassed: evaluation }),
    quality: version?.quality ?? null,
    lastRun,
    status: statusOf(version, lastRun),
    flows: await flowsOf(sql, collection),
  };
}

function statusOf(version: Version | undefined, lastRun: LastRun | undefined): Stats["status"] {
  if (lastRun?.status === "running") return "building";
  if (version !== undefined) return "active";
  return lastRun?.status === "failed" ? "failed" : "empty";
}

async function flowsOf(sql: Sql, { name }: Collection): Promise<readonly string[]> {
  const rows = await sql.all("SELECT id, steps FROM flows ORDER BY id");
  return rows.filter((row) => String(row["steps"]).includes(JSON.stringify(name))).map((row) => String(row["id"]));
}

async function countBy(
  sql: Sql,
  { id }: Collection,
  version: Version | undefined,
  column: string,
): Promise<Record<string, number>> {
  if (version === undefined) return {};
  const rows = await sql.all(
    `SELECT r.${column} AS value, count(*) AS count FROM members m JOIN revisions r ON r.id = m.revision
     WHERE m.collection = ? AND m.version = ? AND r.${column} IS NOT NULL GROUP BY r.${column} ORDER BY count DESC, value LIMIT 50`,
    id,
    version.number,
  );
  return Object.fromEntries(rows.map((row) => [String(row["value"]), Number(row["count"])]));
}

async function readRun(sql: Sql, { id }: Collection, now: string): Promise<LastRun | undefined> {
  const row = await sql.get("SELECT * FROM runs WHERE collection = ? ORDER BY started_at DESC LIMIT 1", id);
  return row && toRun(row, now);
}

/** Parses a row of the runs. A run whose process has ended counts as failed. */
export function toRun(row: SqlRow, now: string): LastRun {
  const count = (column: string): number => numberOf(row[column]) ?? 0;
  const isDead = isAbandoned(row, now);
  return {
    id: String(row["id"]),
    status: isDead ? "failed" : String(row["status"]),
    stage: String(row["stage"]),
    done: count("done"),
    total: count("total"),
    succeeded: count("succeeded"),
    skipped: count("skipped"),
    failed: count("failed"),
    message: isDead ? "it was interrupted" : textOf(row["message"]),
    startedAt: String(row["started_at"]),
    endedAt: textOf(row["ended_at"]),
  };
}

async function readEvaluation(
  sql: Sql,
  { id }: Collection,
  version: Version | undefined,
): Promise<boolean | undefined> {
  if (version === undefined) return undefined;
  const row = await sql.get(
    "SELECT passed FROM evaluations WHERE collection = ? AND version = ? ORDER BY id DESC LIMIT 1",
    id,
    version.number,
  );
  return row === undefined ? undefined : Number(row["passed"]) === 1;
}

/** The health of a collection: a score up to 1, and the reasons for a lower score. */
interface Health {
  readonly score: number;
  readonly reasons: readonly string[];
}

/** The inputs of the health score. */
interface HealthInput {
  readonly collection: Collection;
  /** The active version. */
  readonly version: Version | undefined;
  /** The counts of the last finished run. */
  readonly lastRun: { readonly succeeded: number; readonly skipped: number; readonly failed: number } | undefined;
  /** Whether the version passed its last evaluation. */
  readonly hasPassed: boolean | undefined;
}

/** Computes the health of a collection. */
function computeHealth({ version, lastRun, hasPassed }: HealthInput): Health {
  if (version === undefined) return { score: 0, reasons: ["no version is active yet"] };
  if (version.documents === 0) return { score: 0, reasons: ["it has no documents"] };
  const losses: [number, string][] = [];
  if (version.embedder === "") losses.push([0.2, "it has no vectors, so passages are found only by words"]);
  const tried = lastRun === undefined ? 0 : lastRun.succeeded + lastRun.skipped + lastRun.failed;
  if (lastRun !== undefined && lastRun.failed > 0)
    losses.push([(0.5 * lastRun.failed) / tried, `${lastRun.failed} of ${tried} documents failed in the last ingest`]);
  if (hasPassed === false) losses.push([0.3, "the version did not pass its last evaluation"]);
  const score = Math.max(0, 1 - losses.reduce((sum, [loss]) => sum + loss, 0));
  return { score: Math.round(score * 100) / 100, reasons: losses.map(([, reason]) => reason) };
}

/** The options for listing collections. */
export interface ListCollectionsOptions {
  /** Part of the name or the description. */
  readonly text?: string | undefined;
}

/** Lists collections with their statistics, ordered by name. */
export async function listCollections(
  context: KnowledgeContext,
  { text = "" }: ListCollectionsOptions = {},
): Promise<readonly Stats[]> {
  const part = text.toLowerCase();
  const all = await readAllStats(context);
  return all.filter(({ collection: { name, description } }) => `${name}\n${description}`.toLowerCase().includes(part));
}
