import { hostname } from "node:os";
import { describeProcess, isRunning, type Sql, type SqlRow } from "@toolwright/kit/storage";

/** The run that currently ingests into a collection. */
export interface ActiveRun {
  readonly run: string;
  readonly who: string;
  readonly since: string;
  readonly stage: string;
}

/** A run without a heartbeat for this long counts as dead. */
const SILENCE_MS = 30_000;

/** The interval of heartbeats. */
export const HEARTBEAT_MS = 5000;

/** Identifies this process as the holder of a run. */
export const describeHolder = (): string =>
  JSON.stringify({ place: describeProcess(), host: hostname(), pid: process.pid });

/** Runs of this process that have ended, although the database could not record it, for example because the disk was full. */
const unrecordedEnds = new Set<string>();

/** Releases the collection of a run whose end could not be recorded; the next run records it. */
export function releaseUnrecorded(run: string): void {
  unrecordedEnds.add(run);
}

/** Returns the active run of a collection; undefined if there is none. */
export async function findActiveRun(sql: Sql, collection: number, now: string): Promise<ActiveRun | undefined> {
  const rows = await sql.all("SELECT * FROM runs WHERE collection = ? AND status = 'running'", collection);
  for (const row of rows) {
    if (isAbandoned(row, now) || unrecordedEnds.has(String(row["id"]))) continue;
    const { pid, host } = holderOf(row);
    const who = `process ${pid} on ${host}`;
    return { run: String(row["id"]), who, since: String(row["started_at"]), stage: String(row["stage"]) };
  }
  return undefined;
}

/** Whether a run is still marked as running although its process is gone. */
export const isAbandoned = (row: SqlRow, now: string): boolean =>
  row["status"] === "running" && isGone(holderOf(row), String(row["beat_at"]), now);

const holderOf = (row: SqlRow) => JSON.parse(String(row["holder"])) as { place: string; host: string; pid: number };

/** A process of this machine is checked directly, others by their heartbeat. */
const isGone = (holder: { place: string; pid: number }, beat: string, now: string): boolean =>
  (holder.place === describeProcess() && !isRunning(holder.pid)) || Date.parse(now) - Date.parse(beat) > SILENCE_MS;
