import type { JsonObject } from "../../../jsonrpc/messages.js";
import { type InputRequest, type TaskStatus, ToolError, type ToolOutcome } from "../../../protocol/outcome.js";
import { omitUndefined, rejectUnknownOptions } from "../../definitions/validation.js";
import { MAX_TIMER_MS } from "../../limits/limits.js";

/** The owner of a task. */
export interface TaskOwner {
  /** The principal that may see it; undefined if clients are not authenticated. */
  readonly principal: string | undefined;
  /** The session in which it started; it owns the task if there is no principal. */
  readonly session: string | undefined;
}

/** A task in a store: plain JSON that does not depend on a protocol revision. */
export interface TaskRecord extends TaskOwner {
  readonly id: string;
  readonly tool: string;
  readonly status: TaskStatus;
  /** A message about the status, for the user or the model. */
  readonly message?: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** How long it is kept after its creation; null = forever. */
  readonly ttlMs: number | null;
  /** How long a client should wait between two polls. */
  readonly pollMs: number;
  /** The pending input requests. Keys are not reused within a task. */
  readonly inputRequests?: Readonly<Record<string, InputRequest>>;
  /** Responses that the running call has not received yet; another process may have accepted them. */
  readonly inputResponses?: JsonObject;
  /** The result of a completed task; it may have `isError`. */
  readonly result?: ToolOutcome;
  /** The JSON-RPC error of a failed task. A failed task without it was interrupted, and `message` says why. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: JsonObject };
}

/** A position in a list of tasks. It stays valid when its task is gone. */
export type TaskPosition = Pick<TaskRecord, "createdAt" | "id">;

/** The result of an update. */
export interface TaskUpdate {
  /** The task after the update. */
  readonly record: TaskRecord;
  /** False if the task was final before, or nothing changed. */
  readonly isChanged: boolean;
}

/** The limits of a task store. */
export interface TaskLimits {
  /** Tasks of all owners. */
  readonly tasks: number;
  /** Tasks of one owner. */
  readonly tasksPerOwner: number;
  /** Bytes of all tasks, as JSON. */
  readonly bytes: number;
}

/**
 * Stores tasks. A task expires at `createdAt` + `ttlMs`. If a limit is reached, the oldest final tasks are evicted, those
 * of the same owner first; if that is not enough, `evictTasks` throws and the new task is not stored.
 */
export interface TaskStore {
  /** Stores a new task. Afterwards `get` finds it. */
  create(record: TaskRecord): void | Promise<void>;
  get(id: string): TaskRecord | undefined | Promise<TaskRecord | undefined>;
  /**
   * Atomically replaces a task with what `transform` returns; a final task is not changed. `transform` may run more than
   * once and must not have side effects or change `id`, owner or `createdAt`. Returns undefined if there is no such task.
   */
  update(
    id: string,
    transform: (current: TaskRecord) => TaskRecord,
  ): TaskUpdate | undefined | Promise<TaskUpdate | undefined>;
  /** The first `limit` tasks of an owner after a position, oldest first. */
  list(
    owner: TaskOwner,
    after: TaskPosition | undefined,
    limit: number,
  ): readonly TaskRecord[] | Promise<readonly TaskRecord[]>;
  /** Reports the ids of tasks that another process has changed; the returned function stops it. */
  watch?(listener: (id: string) => void): () => void;
  /** Closes the store. Tasks that it created and that are not final become failed. */
  close?(): void | Promise<void>;
}

const FINAL_STATUSES: ReadonlySet<TaskStatus> = new Set(["completed", "failed", "cancelled"]);

/** Whether the task has ended and cannot change any more. */
export const isFinalTask = ({ status }: Pick<TaskRecord, "status">): boolean => FINAL_STATUSES.has(status);

/** A key that identifies the owner: the principal, or the session if there is none. */
export const taskOwnerKey = ({ principal, session }: TaskOwner): string =>
  principal === undefined ? `session ${session ?? ""}` : `principal ${principal}`;

/** When the task expires, in milliseconds since 1970. */
export const taskExpiry = ({ createdAt, ttlMs }: TaskRecord): number => (ttlMs === null ? Infinity : createdAt + ttlMs);

/** Marks a task as failed because the process that ran it is gone; `reason` is for the model. */
export function interruptedTask(record: TaskRecord, reason: string, now: number): TaskRecord {
  return { ...withoutInput(record), status: "failed", message: reason, updatedAt: now };
}

/** Removes all input requests and responses. */
export function withoutInput(record: TaskRecord): TaskRecord {
  const { inputRequests: _requests, inputResponses: _responses, ...rest } = record;
  return rest;
}

/** A final task that can be evicted. */
export interface EvictableTask {
  readonly id: string;
  readonly bytes: number;
  /** It belongs to the owner of the new task. */
  readonly isOwn: boolean;
}

/**
 * For authors of stores: returns the ids of the final tasks to evict, so that a new task fits. `usage` includes the new task,
 * `candidates` are in the order of eviction. Throws `ToolError` if evicting all of them is not enough.
 */
export function evictTasks(usage: TaskLimits, limits: TaskLimits, candidates: Iterable<EvictableTask>): string[] {
  const left = { ...usage };
  // The limit of the owner comes first: evicting tasks of others does not help there.
  const findExceeded = () =>
    (["tasksPerOwner", "tasks", "bytes"] as const).find((limit) => left[limit] > limits[limit]);
  const evicted: string[] = [];
  for (const { id, bytes, isOwn } of candidates) {
    if (findExceeded() === undefined) return evicted;
    evicted.push(id);
    left.tasks -= 1;
    left.bytes -= bytes;
    if (isOwn) left.tasksPerOwner -= 1;
  }
  const limit = findExceeded();
  if (limit === undefined) return evicted;
  const what = limit === "bytes" ? `${limits.bytes} bytes of tasks` : `${limits[limit]} tasks`;
  const whose = limit === "tasksPerOwner" ? " for one client" : "";
  throw new ToolError(
    `The server keeps at most ${what}${whose}, and too few of them have ended to make room. Wait for one to end, or cancel one, and try again.`,
    { code: "TASKS_FULL", details: { limit, retryable: true } },
  );
}

const DEFAULT_TASK_LIMITS: TaskLimits = { tasks: 1000, tasksPerOwner: 200, bytes: 64 * 1024 * 1024 };

interface StoredTask {
  readonly record: TaskRecord;
  readonly bytes: number;
}

/**
 * Stores tasks in memory. They are lost when the process ends.
 *
 * @example
 * createServer({ name: "build", version: "1.0.0", tools, tasks: { store: new MemoryTaskStore({ tasks: 100 }) } });
 */
export class MemoryTaskStore implements TaskStore {
  readonly #limits: TaskLimits;
  readonly #now: () => number;
  /** In order of creation. */
  readonly #tasks = new Map<string, StoredTask>();

  /** `now` returns the time in milliseconds since 1970. */
  constructor(limits: Partial<TaskLimits> = {}, now: () => number = Date.now) {
    this.#limits = { ...DEFAULT_TASK_LIMITS, ...limits };
    this.#now = now;
  }

  create(record: TaskRecord): void {
    if (this.#tasks.has(record.id)) throw new Error(`Cannot store task ${record.id}: the id is already used`);
    this.#removeExpired();
    const stored = { record, bytes: sizeOf(record) };
    this.#evict(stored);
    this.#tasks.set(record.id, stored);
  }

  get(id: string): TaskRecord | undefined {
    const record = this.#tasks.get(id)?.record;
    return record === undefined || taskExpiry(record) <= this.#now() ? undefined : record;
  }

  update(id: string, transform: (current: TaskRecord) => TaskRecord): TaskUpdate | undefined {
    const record = this.get(id);
    const before = this.#tasks.get(id);
    if (record === undefined || before === undefined) return undefined;
    const next = isFinalTask(record) ? record : transform(record);
    if (next === record) return { record, isChanged: false };
    const after = { record: next, bytes: sizeOf(next) };
    // An update without a result is always stored: otherwise tasks in a full store could not end.
    if (next.result !== undefined) this.#evict(after, before);
    this.#tasks.set(id, after);
    return { record: next, isChanged: true };
  }

  list(owner: TaskOwner, after: TaskPosition | undefined, limit: number): readonly TaskRecord[] {
    this.#removeExpired();
    const key = taskOwnerKey(owner);
    return Array.from(this.#tasks.values(), ({ record }) => record)
      .filter((record) => taskOwnerKey(record) === key && (after === undefined || isAfter(record, after)))
      .sort((a, b) => (isAfter(a, b) ? 1 : -1))
      .slice(0, limit);
  }

  /** Removes final tasks until a task fits: those of its owner first, older ones before newer ones. */
  #evict(incoming: StoredTask, replaced?: StoredTask): void {
    const others = [...this.#tasks.values()].filter((stored) => stored !== replaced);
    const owner = taskOwnerKey(incoming.record);
    const isOwn = ({ record }: StoredTask): boolean => taskOwnerKey(record) === owner;
    const usage = {
      tasks: others.length + 1,
      tasksPerOwner: others.filter(isOwn).length + 1,
      bytes: others.reduce((bytes, stored) => bytes + stored.bytes, incoming.bytes),
    };
    const candidates = others
      .filter(({ record }) => isFinalTask(record))
      .map((stored) => ({ id: stored.record.id, bytes: stored.bytes, isOwn: isOwn(stored) }))
      .toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn));
    for (const id of evictTasks(usage, this.#limits, candidates)) this.#tasks.delete(id);
  }

  #removeExpired(): void {
    const now = this.#now();
    for (const { record } of this.#tasks.values()) if (taskExpiry(record) <= now) this.#tasks.delete(record.id);
  }
}

const sizeOf = (record: TaskRecord): number => Buffer.byteLength(JSON.stringify(record));

const isAfter = (a: TaskPosition, b: TaskPosition): boolean =>
  a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.id > b.id);

/**
 * The `tasks` option of a server.
 *
 * @example
 * createServer({ name: "build", version: "1.0.0", tools, tasks: { promoteAfterMs: 5_000 } });
 */
export interface TaskOptions {
  /** Where tasks are stored; in memory by default. The server closes it. */
  readonly store?: TaskStore;
  /** How long a call runs before it becomes a task, if the server decides; 10 s by default. */
  readonly promoteAfterMs?: number;
  /** How long a task is kept if the client does not say; 1 h by default. */
  readonly ttlMs?: number;
  /** The longest time a task is kept, whatever the client says; 24 h by default. */
  readonly maxTtlMs?: number;
  /** How long a client should wait between two polls; 1 s by default. */
  readonly pollMs?: number;
  /** How long a tool with `taskSupport` may run before it becomes a task; 50 ms by default. */
  readonly graceMs?: number;
}

/** The `tasks` option with defaults. */
export type TaskSettings = Required<TaskOptions>;

const DEFAULT_TASK_OPTIONS = {
  promoteAfterMs: 10_000,
  ttlMs: 3_600_000,
  maxTtlMs: 86_400_000,
  pollMs: 1000,
  graceMs: 50,
};

/** Validates the `tasks` option and adds defaults; undefined = the server has no tasks. Throws `TypeError`. */
export function resolveTaskOptions(option: boolean | TaskOptions | undefined): TaskSettings | undefined {
  if (option === undefined || option === false) return undefined;
  const options: TaskOptions = option === true ? {} : option;
  rejectUnknownOptions("create the server", options, { ...DEFAULT_TASK_OPTIONS, store: true }, "tasks");
  const { store = new MemoryTaskStore(), ...times } = options;
  const settings = { ...DEFAULT_TASK_OPTIONS, ...omitUndefined(times) };
  const optionError = (reason: string) => new TypeError(`Cannot create the server: tasks.${reason}`);
  if (typeof store?.create !== "function") throw optionError("store must be a task store");
  for (const [name, value] of Object.entries(settings)) {
    if (!(typeof value === "number" && value > 0)) throw optionError(`${name} must be a positive number`);
    settings[name as keyof typeof settings] = Math.ceil(Math.min(value, MAX_TIMER_MS));
  }
  return Object.freeze({ ...settings, ttlMs: Math.min(settings.ttlMs, settings.maxTtlMs), store });
}
