import { DEFAULT_LIMITS } from "@toolwright/engine";
import { DEFAULT_HTTP_LIMITS } from "@toolwright/engine/http";
import { count, positive } from "./kind.js";
import type { Setting } from "./setting.js";

/** The description of each limit of the engine. */
const LIMITS: Readonly<Record<string, string>> = {
  messageBytes: "the maximum size of one message",
  receivedBytes: "the maximum size of one received message, if it is less than that of one that is sent",
  batchMessages: "the maximum number of messages in one batch",
  batchTimeoutMs: "how long the requests of one batch may run",
  outputBytes: "how much may wait for a client that reads slowly, before no more of its messages are read",
  argumentLength: "the maximum number of characters of one string in arguments, where the schema does not allow more",
  argumentItems: "the maximum number of items of one list or object in arguments, where the schema does not allow more",
  callsInFlight: "the maximum number of calls that run at once",
  callsQueued: "the maximum number of calls that wait in the queue",
  keptBytes:
    "the maximum size of what clients make the server keep: large requests, sessions, subscriptions; half of it for one client",
  callTimeoutMs: "how long a call may run without progress",
  callTotalMs: "how long a call may run in total, unless its tool has a longer timeout",
  callTimeoutMaxMs:
    "the longest time without progress, whatever timeout the tool has; also lowers the total that it raises",
  taskTotalMs: "how long a task may run",
  tasksRunning: "the maximum number of tasks that run at once",
  heartbeatMs: "how long a call may be silent before the client gets a heartbeat",
  inputTimeoutMs: "how long to wait for the response to an input request",
  inputRounds: "how often one stateless call may request input",
  requestStateBytes: "the maximum size of the tool results that a stateless call carries while it samples",
  samplingRounds: "how often a client's model may use tools before it must answer",
  subscriptions: "the maximum number of open `subscriptions/listen` calls of one connection",
  resourceSubscriptions: "the maximum number of resources that one session subscribes to",
  changeIntervalMs: "the minimum time between two change notifications for the same list or resource",
  changesPending: "the maximum number of pending change notifications",
  notificationBurst: "the maximum number of progress and log messages of one call in a burst, and then per second",
  pageSize: "the maximum number of entries in one page of a list",
  drainMs: "how long running calls may take to finish when the server stops",
};

/** The same for the limits of HTTP. */
const HTTP_LIMITS: Readonly<Record<string, string>> = {
  connections: "the maximum number of connections",
  sessions: "the maximum number of sessions",
  streams: "the maximum number of event streams",
  sessionIdleMs: "how long a session may be idle, without a stream or request, before it ends",
  headersMs: "how long a client may take to send the headers of a request",
  requestMs: "how long a client may take to send a whole request",
  idleConnectionMs: "how long a connection may be idle between two requests",
  stalledMs: "how long a client may take nothing of a large response",
  headerBytes: "the maximum size of all headers of a request",
  bodyBytes: "the maximum size of all request bodies that are being received; a client may use as much as is free",
  streamBytes: "the maximum size of the output that is buffered for a client that reads slowly",
  eventsKept: "the maximum number of events of one session that are stored for a client that reconnects",
  eventBytes: "the maximum size of the stored events of all sessions",
  keepAliveMs: "how long a stream may be silent before a comment is sent",
  clients: "the maximum number of clients whose rate is tracked",
};

/** The page size stays the same while clients page through a list. */
const isLive = (name: string): boolean => name !== "pageSize";

/** Where the ready server is stricter than the engine: its tools say where a value may be large, and a path or name never is. */
export const STRICTER_LIMITS = { argumentLength: 65_536, argumentItems: 1000 } as const;

/** A setting for each limit that the engine has. */
export const limitSettings: ReadonlyMap<string, Setting> = new Map([
  ...rowsOf("limits", { ...DEFAULT_LIMITS, ...STRICTER_LIMITS }, LIMITS, isLive),
  ...rowsOf("http.limits", DEFAULT_HTTP_LIMITS, HTTP_LIMITS),
]);

function rowsOf(
  group: string,
  defaults: object,
  words: Readonly<Record<string, string>>,
  canChange: (name: string) => boolean = () => false,
): [string, Setting][] {
  return Object.entries(defaults).map(([name, value]: [string, number]) => {
    const row: Setting<number> = {
      kind: name.endsWith("Ms") ? positive : count,
      about: words[name] ?? "",
      default: value,
      ...(canChange(name) && { isLive: true }),
    };
    return [`${group}.${name}`, row];
  });
}
