const MIB = 1024 * 1024;

/** The longest wait that a timer holds; a longer one would end at once. */
export const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** Every bound of the engine in one place; `createServer({ limits })` changes them. */
export interface Limits {
  /** Bytes of one message, in either direction. */
  readonly messageBytes: number;
  /** Messages in one batch. */
  readonly batchMessages: number;
  /** Calls that run at once. */
  readonly callsInFlight: number;
  /** Calls that wait for a free place; one more is refused. */
  readonly callsQueued: number;
  /** How long a call may go without progress. */
  readonly callTimeoutMs: number;
  /** How long a call may take, however much progress it reports. */
  readonly callTotalMs: number;
  /** How long a task may take. */
  readonly taskTotalMs: number;
  /** Tasks that run at once. */
  readonly tasksRunning: number;
  /** How long a call is silent before the client is told that it still runs, where it wants to hear of progress. */
  readonly heartbeatMs: number;
  /** How long the server waits for the answer to a question. */
  readonly questionTimeoutMs: number;
  /** How often one stateless call may come back with answers. */
  readonly questionRounds: number;
  /** Bytes of the tool results of a sampling that a stateless call takes along from round to round. */
  readonly keptBytes: number;
  /** How often a client's model may use tools before it has to answer. */
  readonly samplingRounds: number;
  /** Open `subscriptions/listen` calls of one connection. */
  readonly subscriptions: number;
  /** Resources that one session watches, or one `subscriptions/listen` call names. */
  readonly watchedResources: number;
  /** How long after a change was told the next one of the same thing waits; what happens meanwhile is told once. */
  readonly changeRestMs: number;
  /** Changes that wait to be told. */
  readonly changesPending: number;
  /** Progress and log messages of one call in a burst; as many again are allowed each second. */
  readonly notificationBurst: number;
  /** Entries of one page of a list. */
  readonly pageSize: number;
  /** How long running calls may go on after the client is gone. */
  readonly drainMs: number;
}

/** What holds where nothing else is said. */
export const DEFAULT_LIMITS: Limits = Object.freeze({
  messageBytes: 10 * MIB,
  batchMessages: 100,
  callsInFlight: 128,
  callsQueued: 1024,
  callTimeoutMs: 30_000,
  callTotalMs: 600_000,
  taskTotalMs: 3_600_000,
  tasksRunning: 64,
  heartbeatMs: 15_000,
  questionTimeoutMs: 300_000,
  questionRounds: 16,
  keptBytes: MIB,
  samplingRounds: 10,
  subscriptions: 64,
  watchedResources: 1000,
  changeRestMs: 100,
  changesPending: 10_000,
  notificationBurst: 100,
  pageSize: 1000,
  drainMs: 30_000,
});

/** The limits with the given ones put in place. Throws `TypeError` for an unknown name or a value that is no positive number. */
export const createLimits = (given: Partial<Limits> = {}): Limits =>
  fillLimits("create the server", DEFAULT_LIMITS, given);

/** Any bounds, by name, with the given ones put in place. Throws `TypeError` that begins with what cannot be done so. */
export function fillLimits<Named extends object>(deed: string, defaults: Named, given: Partial<Named>): Named {
  const limits = { ...defaults } as Record<string, unknown>;
  for (const [name, value] of Object.entries(given)) {
    const fault = (reason: string) => new TypeError(`Cannot ${deed}: limits.${name} ${reason}`);
    if (!Object.hasOwn(defaults, name)) throw fault("is unknown");
    if (!(typeof value === "number" && value > 0)) throw fault("must be a positive number");
    if (!name.endsWith("Ms") && Number.isFinite(value) && !Number.isInteger(value))
      throw fault("must be a whole number");
    limits[name] = name.endsWith("Ms") ? Math.min(value, LONGEST_WAIT_MS) : value;
  }
  return Object.freeze(limits) as Named;
}
