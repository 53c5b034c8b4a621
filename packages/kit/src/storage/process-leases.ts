import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { Database, Statement } from "./sqlite.js";

/** The table of those who hold work in a shared database. */
export const LEASES_TABLE = `
  CREATE TABLE holders (id TEXT PRIMARY KEY, place TEXT NOT NULL, pid INTEGER NOT NULL, beat_at INTEGER NOT NULL) STRICT;
`;

/** How long a holder may go without a heartbeat before it counts as ended. */
const LEASE_MS = 30_000;

/** The interval of heartbeats. */
export const HEARTBEAT_MS = 10_000;

/**
 * Knows which processes that share a database are still there. Each has a row and renews it. A process of the same machine
 * that has ended is recognized at once; others by missing heartbeats.
 */
export class ProcessLeases {
  /** The name of this holder. */
  readonly id = randomUUID();
  readonly #find: Statement;
  readonly #beat: Statement;
  readonly #remove: Statement;
  readonly #now: () => number;
  readonly #place = describeProcess();
  /** When this process last looked at the clock. */
  #lookedAt: number;
  /** When this process came back after it was away itself, such as a computer that slept. */
  #backSince = Number.NEGATIVE_INFINITY;

  constructor(database: Database, now: () => number) {
    this.#find = database.prepare("SELECT place, pid, beat_at FROM holders WHERE id = ?");
    this.#beat = database.prepare(
      "INSERT INTO holders VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET beat_at = excluded.beat_at",
    );
    this.#remove = database.prepare("DELETE FROM holders WHERE id = ?");
    this.#now = now;
    this.#lookedAt = now();
    this.beat();
  }

  /** Renews the heartbeat of this holder. */
  beat(): void {
    this.#beat.run(this.id, this.#place, process.pid, this.#look());
  }

  isGone(id: string): boolean {
    if (id === this.id) return false;
    const holder = this.#find.get(id);
    if (holder === undefined) return true;
    if (holder["place"] === this.#place && !isRunning(Number(holder["pid"]))) return true;
    const now = this.#look();
    return now - Number(holder["beat_at"]) > LEASE_MS && now - this.#backSince > LEASE_MS;
  }

  /** Whether a holder is another process that is still there. */
  isOther(id: string): boolean {
    if (id === this.id || this.isGone(id)) return false;
    const holder = this.#find.get(id);
    return holder?.["place"] !== this.#place || Number(holder["pid"]) !== process.pid;
  }

  remove(id: string): void {
    this.#remove.run(id);
  }

  /** The time. After this process was suspended, it cannot know that others ended: they may have been suspended, too. */
  #look(): number {
    const now = this.#now();
    if (Math.abs(now - this.#lookedAt) > LEASE_MS) this.#backSince = now;
    this.#lookedAt = now;
    return now;
  }
}

/** Whether a process of this machine is still there. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

let place: string | undefined;

/** Where process ids mean the same: on Linux one container of one boot, elsewhere the machine. */
export function describeProcess(): string {
  place ??= findPlace();
  return place;
}

function findPlace(): string {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    // There is no such file on other systems.
    return hostname();
  }
}
