import { rejectUnknownOptions } from "../definitions/validation.js";

const MIB = 1024 * 1024;

/** The longest delay of a timer; `setTimeout` fires at once if it is longer. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * The limits of a server.
 *
 * @example
 * createServer({ name: "files", version: "1.0.0", tools, limits: { callsInFlight: 16, callTimeoutMs: 5_000 } });
 */
export interface Limits {
  /** Bytes of one message, in either direction. */
  readonly messageBytes: number;
  /** Bytes of one message that is received, if it may have less than one that is sent. */
  readonly receivedBytes: number;
  /** Messages in one batch. */
  readonly batchMessages: number;
  /** How long the requests of one batch may run. Those that have not finished by then are stopped. */
  readonly batchTimeoutMs: number;
  /** Bytes that wait for a client that reads slowly. With more, no more of its messages are read; over HTTP see `streamBytes`. */
  readonly outputBytes: number;
  /** Characters of one string in the arguments of a call. A schema with a larger `maxLength` raises it for a property. */
  readonly argumentLength: number;
  /** Items of one array, or members of one object, in arguments. `maxItems` and `maxProperties` of a schema raise it. */
  readonly argumentItems: number;
  /** Calls that run at the same time. Clients without a running call may exceed it, by an eighth in all. */
  readonly callsInFlight: number;
  /** Calls that wait for capacity. One more is rejected. */
  readonly callsQueued: number;
  /**
   * Bytes that clients make the server keep: requests over 16 KiB that are being served, sessions, roots, subscriptions. One client may
   * keep as much as is free.
   */
  readonly keptBytes: number;
  /** How long a call may run without progress. */
  readonly callTimeoutMs: number;
  /** How long a call may run in total, regardless of progress. */
  readonly callTotalMs: number;
  /** How long a call may run without progress, whatever timeout its tool, prompt or resource has. */
  readonly callTimeoutMaxMs: number;
  /** How long a task may run. */
  readonly taskTotalMs: number;
  /** Tasks that run at the same time. Clients without a running task may exceed it, by an eighth in all. */
  readonly tasksRunning: number;
  /** How long a call is silent before a client that requested progress is notified that it still runs. */
  readonly heartbeatMs: number;
  /** How long the server waits for the response to an input request. */
  readonly inputTimeoutMs: number;
  /** How often a stateless call may be repeated with responses to input requests. */
  readonly inputRounds: number;
  /** Bytes of tool results that the request state of a stateless sampling call may hold. */
  readonly requestStateBytes: number;
  /** How often the client's model may use tools before it has to answer. */
  readonly samplingRounds: number;
  /** Open `subscriptions/listen` calls of one connection. */
  readonly subscriptions: number;
  /** Resources that one session subscribes to, or that one `subscriptions/listen` call names. */
  readonly resourceSubscriptions: number;
  /** The minimum time between two change notifications for the same list or resource. */
  readonly changeIntervalMs: number;
  /** Change notifications that wait to be sent. */
  readonly changesPending: number;
  /** Progress and log messages of one call in a burst. The same number is allowed per second. */
  readonly notificationBurst: number;
  /** Entries on one page of a list. */
  readonly pageSize: number;
  /** How long running calls may continue after the client is gone. */
  readonly drainMs: number;
}

/**
 * The limits that apply by default.
 *
 * @example
 * createServer({ name: "files", version: "1.0.0", tools, limits: { callsInFlight: DEFAULT_LIMITS.callsInFlight / 2 } });
 */
export const DEFAULT_LIMITS: Limits = Object.freeze({
  messageBytes: 10 * MIB,
  receivedBytes: 2 ** 31 - 1,
  batchMessages: 100,
  batchTimeoutMs: 600_000,
  outputBytes: MIB,
  argumentLength: MIB,
  argumentItems: 10_000,
  callsInFlight: 128,
  callsQueued: 1024,
  keptBytes: 256 * MIB,
  callTimeoutMs: 30_000,
  callTotalMs: 600_000,
  callTimeoutMaxMs: MAX_TIMER_MS,
  taskTotalMs: 3_600_000,
  tasksRunning: 64,
  heartbeatMs: 15_000,
  inputTimeoutMs: 300_000,
  inputRounds: 16,
  requestStateBytes: MIB,
  samplingRounds: 10,
  subscriptions: 64,
  resourceSubscriptions: 1000,
  changeIntervalMs: 100,
  changesPending: 10_000,
  notificationBurst: 100,
  pageSize: 1000,
  drainMs: 30_000,
});

/** The bytes that one received message may have. */
export const maxReceivedBytes = ({ messageBytes, receivedBytes }: Limits): number =>
  Math.min(messageBytes, receivedBytes);

/** Merges limits with their defaults. Throws `TypeError` for an invalid limit; its message starts with `Cannot ${action}`. */
export function mergeLimits<Named extends object>(action: string, defaults: Named, overrides: Partial<Named>): Named {
  rejectUnknownOptions(action, overrides, defaults, "limits");
  const limits = { ...defaults } as Record<string, unknown>;
  for (const [name, value] of Object.entries(overrides)) {
    const limitError = (reason: string) => new TypeError(`Cannot ${action}: limits.${name} ${reason}`);
    if (!(typeof value === "number" && value > 0)) throw limitError("must be a positive number");
    if (!name.endsWith("Ms") && Number.isFinite(value) && !Number.isInteger(value))
      throw limitError("must be a whole number");
    limits[name] = name.endsWith("Ms") ? Math.min(value, MAX_TIMER_MS) : value;
  }
  return Object.freeze(limits) as Named;
}
