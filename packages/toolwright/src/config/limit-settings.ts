import { DEFAULT_LIMITS } from "@toolwright/engine";
import { DEFAULT_HTTP_LIMITS } from "@toolwright/engine/http";
import { count, positive } from "./kind.js";
import type { Setting } from "./setting.js";

/** What each limit of the engine bounds, in one line. */
const LIMITS: Readonly<Record<string, string>> = {
  messageBytes: "bytes of one message",
  batchMessages: "messages in one batch",
  callsInFlight: "calls that run at once",
  callsQueued: "calls that wait for a free place",
  callTimeoutMs: "a call without progress",
  callTotalMs: "a call, however much progress it reports",
  taskTotalMs: "a task",
  tasksRunning: "tasks that run at once",
  heartbeatMs: "the silence of a call before the client is told that it still runs",
  inputTimeoutMs: "the wait for the response to an input request",
  inputRounds: "how often one stateless call may come back with input",
  requestStateBytes: "tool results of a sampling that a stateless call carries between rounds",
  samplingRounds: "how often a client's model may use tools before it has to answer",
  subscriptions: "open `subscriptions/listen` calls of one connection",
  resourceSubscriptions: "resources that one session subscribes to",
  changeIntervalMs: "the shortest time between two change notifications for the same list or resource",
  changesPending: "changes that wait to be told",
  notificationBurst: "progress and log messages of one call in a burst",
  pageSize: "entries of one page of a list",
  drainMs: "the time that calls have to finish when the server stops",
};

/** The same for the limits of HTTP. */
const HTTP_LIMITS: Readonly<Record<string, string>> = {
  connections: "connections at once",
  sessions: "sessions at once",
  streams: "event streams at once",
  sessionIdleMs: "a session without a stream and without a request",
  headersMs: "the time in which the headers of a request must have come",
  requestMs: "the time in which a whole request must have come",
  idleConnectionMs: "a connection between two requests",
  stalledMs: "a client that takes nothing of a large answer",
  headerBytes: "all headers of a request",
  streamBytes: "what waits for a client that reads slowly",
  eventsKept: "events of one session that are kept for a client that comes back",
  eventBytes: "such events of all sessions",
  keepAliveMs: "the silence of a stream before a comment is written to it",
  clients: "clients whose rate is remembered",
};

/** Where a client is in the middle of a list, its pages must stay as long as they were. */
const isLive = (name: string): boolean => name !== "pageSize";

/** A setting for each limit that the engine has. */
export const limitSettings: ReadonlyMap<string, Setting> = new Map([
  ...rowsOf("limits", DEFAULT_LIMITS, LIMITS, isLive),
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
      about: `bounds ${words[name]}`,
      default: value,
      ...(canChange(name) && { isLive: true }),
    };
    return [`${group}.${name}`, row];
  });
}
