import { hostname } from "node:os";
import { describeProcess, isRunning, type Sql, type SqlRow } from "@toolwright/kit/storage";

/** Who ingests into a collection at the moment. */
export interface ActiveRun {
  readonly run: string;
  readonly who: string;
  readonly since: string;
  readonly stage: string;
}

/** How long a run may be silent before it counts as dead. */
const SILENCE_MS = 30_000;

/** How often a run says that it is alive. */
export const HEARTBEAT_MS = 5000;

/** The name under which this process holds a run. */
export const describeHolder = (): string =>
  JSON.stringify({ place: describeProcess(), host: hostname(), pid: process.pid });

/** The run that a living process has at a collection; undefined: nobody is at work. */
export async function findActiveRun(sql: Sql, collection: number, now: string): Promise<ActiveRun | undefined> {
  const rows = await sql.all("SELECT * FROM runs WHERE collection = ? AND status = 'running'", collection);
  for (const row of rows) {
    if (isAbandoned(row, now)) continue;
    const { pid, host } = holderOf(row);
    const who = `process ${pid} on ${host}`;
    return { run: String(row["id"]), who, since: String(row["started_at"]), stage: String(row["stage"]) };
  }
  return undefined;
}

/** Whether a run has come to no end, and never will. */
export const isAbandoned = (row: SqlRow, now: string): boolean =>
  row["status"] === "running" && isGone(holderOf(row), String(row["beat_at"]), now);

const holderOf = (row: SqlRow) => JSON.parse(String(row["holder"])) as { place: string; host: string; pid: number };

/** A process of this machine that has ended is known to be gone at once; of others, silence tells it. */
const isGone = (holder: { place: string; pid: number }, beat: string, now: string): boolean =>
  (holder.place === describeProcess() && !isRunning(holder.pid)) || Date.parse(now) - Date.parse(beat) > SILENCE_MS;
