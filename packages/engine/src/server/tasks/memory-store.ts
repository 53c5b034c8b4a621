import { type FinalTask, makeTaskRoom } from "./room.js";
import {
  isFinalTask,
  type TaskChange,
  type TaskLimits,
  type TaskOwner,
  type TaskPosition,
  type TaskRecord,
  type TaskStore,
  taskExpiry,
  taskOwnerKey,
} from "./store.js";

const DEFAULTS: TaskLimits = { tasks: 1000, tasksPerOwner: 200, bytes: 64 * 1024 * 1024 };

interface Kept {
  readonly record: TaskRecord;
  readonly owner: string;
  readonly bytes: number;
}

/** Keeps tasks as long as the process lives. */
export class MemoryTaskStore implements TaskStore {
  readonly #limits: TaskLimits;
  readonly #now: () => number;
  /** In the order of creation. */
  readonly #kept = new Map<string, Kept>();
  readonly #perOwner = new Map<string, number>();
  #bytes = 0;

  /** `now` is the clock, in milliseconds since 1970. */
  constructor(limits: Partial<TaskLimits> = {}, now: () => number = Date.now) {
    this.#limits = { ...DEFAULTS, ...limits };
    this.#now = now;
  }

  create(record: TaskRecord): void {
    if (this.#kept.has(record.id)) throw new Error(`Cannot keep task ${record.id}: there is one with this id`);
    this.#forgetExpired();
    const kept = weigh(record);
    this.#makeRoom(kept);
    this.#kept.set(record.id, kept);
    this.#perOwner.set(kept.owner, (this.#perOwner.get(kept.owner) ?? 0) + 1);
    this.#bytes += kept.bytes;
  }

  get(id: string): TaskRecord | undefined {
    const kept = this.#kept.get(id);
    if (kept === undefined || taskExpiry(kept.record) > this.#now()) return kept?.record;
    this.#forget(kept);
    return undefined;
  }

  change(id: string, to: (now: TaskRecord) => TaskRecord): TaskChange | undefined {
    const record = this.get(id);
    const before = this.#kept.get(id);
    if (record === undefined || before === undefined) return undefined;
    const next = isFinalTask(record) ? record : to(record);
    if (next === record) return { record, isDone: false };
    const after = weigh(next);
    // What ends a task without a result always has room, else a full store could never become empty.
    if (next.result !== undefined) this.#makeRoom(after, before);
    this.#kept.set(id, after);
    this.#bytes += after.bytes - before.bytes;
    return { record: next, isDone: true };
  }

  list(owner: TaskOwner, after: TaskPosition | undefined, most: number): readonly TaskRecord[] {
    this.#forgetExpired();
    const key = taskOwnerKey(owner);
    return [...this.#kept.values()]
      .filter((kept) => kept.owner === key && (after === undefined || isAfter(kept.record, after)))
      .map(({ record }) => record)
      .sort((a, b) => (isAfter(a, b) ? 1 : -1))
      .slice(0, most);
  }

  #makeRoom(coming: Kept, instead?: Kept): void {
    const more = instead === undefined ? 1 : 0;
    const load = {
      tasks: this.#kept.size + more,
      tasksPerOwner: (this.#perOwner.get(coming.owner) ?? 0) + more,
      bytes: this.#bytes + coming.bytes - (instead?.bytes ?? 0),
    };
    for (const id of makeTaskRoom(load, this.#limits, this.#finals(coming.owner))) {
      const kept = this.#kept.get(id);
      if (kept !== undefined) this.#forget(kept);
    }
  }

  /** Final tasks, those of one owner first, older ones before newer ones. */
  *#finals(owner: string): Iterable<FinalTask> {
    for (const isOwn of [true, false]) {
      for (const { record, owner: whose, bytes } of this.#kept.values()) {
        if (isFinalTask(record) && (whose === owner) === isOwn) yield { id: record.id, bytes, isOwn };
      }
    }
  }

  #forgetExpired(): void {
    const now = this.#now();
    for (const kept of this.#kept.values()) if (taskExpiry(kept.record) <= now) this.#forget(kept);
  }

  #forget({ record, owner, bytes }: Kept): void {
    this.#kept.delete(record.id);
    this.#bytes -= bytes;
    const left = (this.#perOwner.get(owner) ?? 1) - 1;
    if (left === 0) this.#perOwner.delete(owner);
    else this.#perOwner.set(owner, left);
  }
}

const weigh = (record: TaskRecord): Kept => ({
  record,
  owner: taskOwnerKey(record),
  bytes: Buffer.byteLength(JSON.stringify(record)),
});

const isAfter = (a: TaskPosition, b: TaskPosition): boolean =>
  a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.id > b.id);
