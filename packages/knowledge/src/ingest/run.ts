import { randomUUID } from "node:crypto";
import { ToolError } from "@toolwright/engine";
import { insertRows, type Sql, type SqlStore } from "@toolwright/kit/storage";
import type { Collection, Cut, Version } from "../collections/collection.js";
import { collectionBusy } from "../collections/errors.js";
import { findCollection, findVersion } from "../collections/find-collection.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { noteChange } from "../store/knowledge-store.js";
import { numberOf } from "../store/rows.js";
import type { IngestProgress, Outcome } from "./ingest-options.js";
import { describeHolder, findActiveRun, HEARTBEAT_MS, releaseUnrecorded } from "./run-lease.js";

/** How a run ended. */
export type RunEnd = "done" | "failed" | "cancelled";

/** The exclusive lease of an ingest on a collection: no other run builds a version meanwhile. */
export class IngestRun {
  readonly id: string;
  readonly collection: Collection;
  /** The number of the version that is built. */
  readonly version: number;
  /** The version that it is based on. */
  readonly parent: Version | undefined;
  readonly store: SqlStore;
  readonly #context: KnowledgeContext;
  readonly #progress: IngestProgress;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #lost = new AbortController();
  readonly counts = { succeeded: 0, skipped: 0, failed: 0 };

  private constructor(
    context: KnowledgeContext,
    store: SqlStore,
    progress: IngestProgress,
    taken: { id: string; collection: Collection; version: number; parent: Version | undefined },
  ) {
    this.#context = context;
    this.store = store;
    this.#progress = progress;
    this.id = taken.id;
    this.collection = taken.collection;
    this.version = taken.version;
    this.parent = taken.parent;
    this.#heartbeat = setInterval(() => void this.#sendHeartbeat(), HEARTBEAT_MS).unref();
  }

  /** Acquires the lease, and resumes the version of an interrupted run. Throws if another run is active. */
  static async take(context: KnowledgeContext, progress: IngestProgress, name: string, cut: Cut): Promise<IngestRun> {
    const store = await context.store();
    const at = context.now();
    const id = `run_${randomUUID()}`;
    const taken = await store.write(async (sql) => {
      const collection = await findCollection(sql, name);
      const other = await findActiveRun(sql, collection.id, at);
      if (other !== undefined) throw collectionBusy("ingest into", name, other);
      await sql.run(
        "UPDATE runs SET status = 'failed', message = 'it was interrupted', ended_at = ? WHERE collection = ? AND status = 'running'",
        at,
        collection.id,
      );
      const parent = collection.active === null ? undefined : await findVersion(sql, collection, collection.active);
      const version = await openVersion(sql, collection, parent, cut, at);
      await sql.run(
        "INSERT INTO runs (id, collection, version, status, stage, holder, beat_at, started_at) VALUES (?, ?, ?, 'running', 'discover', ?, ?, ?)",
        id,
        collection.id,
        version,
        describeHolder(),
        at,
        at,
      );
      await noteChange(sql, { at, collection: name, kind: "ingest_started", note: `version ${version}` });
      return { id, collection, version, parent };
    });
    return new IngestRun(context, store, progress, taken);
  }

  /** Aborts when another run has taken over the lease. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Writes in a transaction that also renews the lease. Throws if the lease was lost. */
  write<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.store.write(async (sql) => {
      await this.#updateRow(sql);
      return work(sql);
    });
  }

  /** Records the outcomes of documents. Call it within `write`. */
  async note(sql: Sql, outcomes: readonly Outcome[]): Promise<void> {
    await insertRows(
      sql,
      "INSERT INTO outcomes (run, source, status, reason, document)",
      outcomes.map(({ source, status, reason = null, document = null }) => [this.id, source, status, reason, document]),
      "ON CONFLICT (run, source) DO NOTHING",
    );
  }

  /** Ends the run because of an error. A cancelled run records no message. */
  fail(error: unknown, isCancelled: boolean): Promise<void> {
    if (isCancelled) return this.end("cancelled", null);
    return this.end("failed", error instanceof Error ? error.message : String(error));
  }

  /** Ends the run and releases the collection. */
  async end(status: RunEnd, message: string | null): Promise<void> {
    clearInterval(this.#heartbeat);
    const at = this.#context.now();
    const { succeeded, skipped, failed } = this.counts;
    const recording = this.store.write(async (sql) => {
      const changed = await sql.run(
        "UPDATE runs SET status = ?, message = ?, ended_at = ?, beat_at = ?, succeeded = ?, skipped = ?, failed = ?, stage = ?, done = ?, total = ? WHERE id = ? AND status = 'running'",
        status,
        message,
        at,
        at,
        succeeded,
        skipped,
        failed,
        this.#progress.stage,
        this.#progress.done,
        this.#progress.total,
        this.id,
      );
      if (changed === 0) return;
      const { id, name } = this.collection;
      // The next run resumes a failed version. It is deleted if no document was ingested.
      const action = succeeded === 0 ? "DELETE FROM versions" : "UPDATE versions SET status = 'failed'";
      const which = "WHERE collection = ? AND number = ? AND status = 'building'";
      if (status !== "done") await sql.run(`${action} ${which}`, id, this.version);
      await noteChange(sql, { at, collection: name, kind: "ingest_ended", note: status });
    });
    await recording.catch((error: unknown) => {
      releaseUnrecorded(this.id);
      throw error;
    });
  }

  async #updateRow(sql: Sql): Promise<void> {
    const { stage, done, total } = this.#progress;
    const { succeeded, skipped, failed } = this.counts;
    const changed = await sql.run(
      "UPDATE runs SET beat_at = ?, stage = ?, done = ?, total = ?, succeeded = ?, skipped = ?, failed = ? WHERE id = ? AND status = 'running'",
      this.#context.now(),
      stage,
      done,
      total,
      succeeded,
      skipped,
      failed,
      this.id,
    );
    if (changed === 0) throw leaseLost(this.collection.name);
  }

  async #sendHeartbeat(): Promise<void> {
    try {
      await this.write(async () => undefined);
    } catch (error) {
      // Other database errors surface in the work itself.
      if (error instanceof ToolError && error.code === "CONFLICT") this.#lost.abort(error);
    }
  }
}

const leaseLost = (name: string): ToolError =>
  new ToolError(
    `Cannot continue the ingest into ${JSON.stringify(name)}: this run sent no heartbeat for too long, and another one has taken over.`,
    { code: "CONFLICT", details: { collection: name } },
  );

async function openVersion(
  sql: Sql,
  { id }: Collection,
  parent: Version | undefined,
  cut: Cut,
  at: string,
): Promise<number> {
  const row = await sql.get(
    "SELECT max(number) AS last, max(CASE WHEN status IN ('building', 'failed') THEN number END) AS unfinished FROM versions WHERE collection = ?",
    id,
  );
  const unfinished = numberOf(row?.["unfinished"]);
  const number = unfinished ?? (numberOf(row?.["last"]) ?? 0) + 1;
  if (unfinished === null)
    await sql.run(
      "INSERT INTO versions (collection, number, status, embedder, dimension, chunk_size, chunk_overlap, created_at) VALUES (?, ?, 'building', '', 0, 0, 0, ?)",
      id,
      number,
      at,
    );
  await sql.run(
    "UPDATE versions SET status = 'building', parent = ?, chunk_size = ?, chunk_overlap = ? WHERE collection = ? AND number = ?",
    parent?.number ?? null,
    cut.size,
    cut.overlap,
    id,
    number,
  );
  return number;
}
