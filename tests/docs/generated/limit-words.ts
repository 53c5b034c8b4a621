import type { Limits } from "@toolwright/engine";
import type { HttpLimits } from "@toolwright/engine/http";

/** What a limit applies to, and what happens when it is exceeded. */
type Words = readonly [appliesTo: string, exceeded: string];

/** The descriptions of the engine's limits, in the order of its own table. */
export const SERVER_LIMITS: Readonly<Record<keyof Limits, Words>> = {
  messageBytes: [
    "one message, in either direction",
    "incoming: discarded up to its newline, -32600 with both sizes. Outgoing: an error result, code `RESULT_TOO_LARGE`",
  ],
  receivedBytes: [
    "one message that is received, if less than `messageBytes`",
    "discarded up to its newline, -32600 with both sizes",
  ],
  batchMessages: ["messages in one batch", "-32600"],
  batchTimeoutMs: [
    "the requests of one batch",
    "those that have not finished are stopped: an error result, code `TIMEOUT`, for calls; -32603 for other requests",
  ],
  outputBytes: [
    "output that waits for a client that reads slowly, over stdio, streams and Unix sockets",
    "no more of its messages are read until it has read some",
  ],
  argumentLength: [
    "characters of one string in the arguments of a tool, prompt or completion; a property whose schema has a larger `maxLength` may have that many",
    "an error result, code `INVALID_ARGUMENTS`, before the arguments are validated; -32602 for prompts and completions",
  ],
  argumentItems: [
    "items of one array, or members of one object, in arguments; a larger `maxItems` or `maxProperties` of the property's schema counts",
    "the same",
  ],
  callsInFlight: [
    "concurrent calls of tools, prompts, resources and completions, over all connections of the server, including tasks; also waiting `tasks/result` requests. Clients without a running call may exceed it, by an eighth in all ([fairness](../guides/operations.md#fairness))",
    "the call waits; `tasks/result` is rejected with -32600",
  ],
  callsQueued: [
    "waiting calls",
    "an error result, code `BUSY`, that says when to retry: for the call, or for the newest one of the client with the most waiting calls",
  ],
  keptBytes: [
    "what clients make the server keep: requests over 16 KiB that are being served, sessions, roots, subscriptions. One client may keep as much as is free, so at most half; without authentication, one session what its address may still keep",
    "-32600, `retryable`; roots are not kept, and asked for again",
  ],
  callTimeoutMs: [
    "a call without progress; `timeoutMs` of a tool, prompt or resource overrides it",
    "an error result, code `TIMEOUT`; the tool's signal is aborted",
  ],
  callTotalMs: [
    "a call in total, regardless of progress; a longer `timeoutMs` overrides it. Time spent waiting for the user does not count",
    "the same",
  ],
  callTimeoutMaxMs: [
    "a call without progress, whatever `timeoutMs` its tool, prompt or resource has",
    "the same; with `callTotalMs` it bounds every call",
  ],
  taskTotalMs: ["a call that has become a task, regardless of progress", "the same, as the result of the task"],
  tasksRunning: [
    "concurrent tasks. Clients without a running task may exceed it, by an eighth in all",
    'a tool with `taskSupport: "optional"` runs as an ordinary call; a task that the client requests, or that a tool requires, fails with `BUSY`',
  ],
  heartbeatMs: [
    "the time without progress of a call whose client sent a progress token",
    "the client is notified that the call still runs",
  ],
  inputTimeoutMs: [
    "the wait for the response to one input request",
    "the request is cancelled, and the tool fails with `NO_ANSWER`",
  ],
  inputRounds: [
    "how often a stateless call may be repeated with responses to input requests",
    "an error result, code `TOO_MANY_ROUNDS`",
  ],
  requestStateBytes: [
    "tool results in the request state of a stateless sampling call",
    "an error result, code `TOO_MUCH_TO_KEEP`",
  ],
  samplingRounds: [
    "how often a client's model may use tools before it has to answer; `maxRounds` of `call.sample` overrides it",
    "the model must answer without tools, or an error result, code `TOO_MANY_ROUNDS`",
  ],
  subscriptions: ["open `subscriptions/listen` calls of one connection", "-32600"],
  resourceSubscriptions: [
    "resources that one session subscribes to; resources and tasks that one `subscriptions/listen` call names",
    "-32600",
  ],
  changeIntervalMs: [
    "the minimum time between two change notifications for the same resource, list or task",
    "changes in between are sent as one notification at its end",
  ],
  changesPending: [
    "pending change notifications",
    "further ones in the same event-loop turn are dropped, and the log says how many",
  ],
  notificationBurst: ["progress and log messages of one call per second", "further ones are dropped"],
  pageSize: [
    "entries on one page of a list; a page that a resource template returns is not divided",
    "the list continues with a cursor",
  ],
  drainMs: [
    "after the client is gone, each of: finishing calls, sending the remaining output, closing the packs",
    "running calls are cancelled",
  ],
};

/** The descriptions of the HTTP limits, in the order of their own table. */
export const HTTP_LIMITS: Readonly<Record<keyof HttpLimits, Words>> = {
  connections: ["concurrent connections", "the new connection is closed, with a log entry"],
  sessions: [
    "concurrent sessions",
    "the longest idle session of the client with the most idle ones is ended; 503 if none is idle",
  ],
  streams: [
    "concurrent event streams. Clients without one may exceed it, by an eighth in all",
    "503; a call is answered without a stream",
  ],
  sessionIdleMs: [
    "a session without a stream and without a request",
    "the session is ended: 404, and the client starts a new one",
  ],
  headersMs: ["the time until the headers of a request are received", "408, and the connection is closed"],
  requestMs: ["the time until a whole request is received", "the same"],
  idleConnectionMs: ["a connection between two requests", "the connection is closed"],
  stalledMs: ["a client that reads nothing of a large response", "the connection is closed"],
  headerBytes: ["all headers of a request", "431"],
  bodyBytes: [
    "request bodies, or large messages over WebSocket, that are being received; a client may use as much as is free",
    "503; over WebSocket the connection is closed",
  ],
  streamBytes: [
    "unsent data for a client that reads slowly, in addition to one message",
    "the stream is closed, with a log entry; in a session the client can resume it",
  ],
  eventsKept: ["stored events of one session, for clients that resume a stream", "the oldest event is deleted"],
  eventBytes: [
    "stored events of all sessions",
    "the oldest events of the session that was inactive longest are deleted",
  ],
  keepAliveMs: ["the time without data on a stream", "a comment is written to the stream"],
  clients: ["clients with a rate limit in memory", "those with a full bucket, then the oldest, are deleted"],
};

/** The descriptions of the workstation settings that are limits. */
export const WORKSTATION_LIMITS: Readonly<Record<string, Words>> = {
  buildTimeoutMs: [
    "a build, test run or command",
    "it is terminated with all of its processes; an error, code `TIMEOUT`",
  ],
  journalFileBytes: ["a file that is kept for undo", "the change is made, with a notice that it cannot be undone"],
  journalBytes: ["all data that is kept for undo", "the oldest changes are deleted"],
  journalDays: ["days for which changes are kept", "the same"],
};
