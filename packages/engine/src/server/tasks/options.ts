import { refuseUnknown } from "../known-members.js";
import { LONGEST_WAIT_MS } from "../limits.js";
import type { TaskStore } from "./store.js";

/** How a server has tasks. */
export interface TaskOptions {
  /** Where tasks are kept; in memory by default. It is closed with the server. */
  readonly store?: TaskStore;
  /** How long a call runs before it becomes a task, where the server decides; 10 s by default. */
  readonly promoteAfterMs?: number;
  /** How long a task is kept where the client does not say; 1 h by default. */
  readonly ttlMs?: number;
  /** How long a task is kept at most, whatever the client says; 24 h by default. */
  readonly mostTtlMs?: number;
  /** How long a client should wait before it asks again; 1 s by default. */
  readonly pollMs?: number;
  /** How long a `long` tool may take to end or to ask before it becomes a task; 50 ms by default. */
  readonly graceMs?: number;
}

/** The options with every default in place; no store = in memory. */
export interface TaskSettings extends Required<Omit<TaskOptions, "store">> {
  readonly store: TaskStore | undefined;
}

const DEFAULTS = { promoteAfterMs: 10_000, ttlMs: 3_600_000, mostTtlMs: 86_400_000, pollMs: 1000, graceMs: 50 };

/** Checks the option and fills in the defaults; undefined = the server has no tasks. Throws `TypeError`. */
export function readTaskOptions(given: boolean | TaskOptions | undefined): TaskSettings | undefined {
  if (given === undefined || given === false) return undefined;
  const fault = (reason: string) => new TypeError(`Cannot create the server: tasks${reason}`);
  if (given !== true && (typeof given !== "object" || given === null)) throw fault(" must be true or an object");
  const { store, ...times } = given === true ? {} : given;
  refuseUnknown("create the server with these tasks", times, {
    promoteAfterMs: true,
    ttlMs: true,
    mostTtlMs: true,
    pollMs: true,
    graceMs: true,
  });
  if (store !== undefined && typeof store?.create !== "function") throw fault(".store is no store of tasks");
  const settings = { ...DEFAULTS };
  for (const [name, value] of Object.entries(times)) {
    if (value === undefined) continue;
    if (!(typeof value === "number" && value > 0)) throw fault(`.${name} must be a positive number`);
    settings[name as keyof typeof DEFAULTS] = Math.ceil(Math.min(value, LONGEST_WAIT_MS));
  }
  return Object.freeze({ ...settings, ttlMs: Math.min(settings.ttlMs, settings.mostTtlMs), store });
}
