import type { HttpLimits, Limits } from "@toolwright/engine";

/** What a limit bounds, and what happens over it. */
type Words = readonly [bounds: string, over: string];

/** The words for the limits of the engine, in the order of its own table. */
export const SERVER_LIMITS: Readonly<Record<keyof Limits, Words>> = {
  messageBytes: [
    "one message, in or out",
    "in: discarded to its newline, -32600 with both sizes. Out: an error result, code `RESULT_TOO_LARGE`",
  ],
  batchMessages: ["messages in one batch", "-32600"],
  callsInFlight: [
    "calls of tools, prompts, resources and completions that run at once, over all connections of the server, tasks included; also `tasks/result` requests that wait",
    "the call waits; `tasks/result` is refused with -32600",
  ],
  callsQueued: [
    "calls that wait for a place",
    "an error result, code `BUSY`, that says when to try again: for the call, or for the last one of the client with the most that wait",
  ],
  callTimeoutMs: [
    "a call without progress; `timeoutMs` of a tool, prompt or resource goes before it",
    "an error result, code `TIMEOUT`; the tool's signal is aborted",
  ],
  callTotalMs: [
    "a call however much progress it reports; a longer `timeoutMs` lifts it. The time a person takes to answer does not count",
    "the same",
  ],
  taskTotalMs: ["a call that has become a task, with or without progress", "the same, as the result of the task"],
  tasksRunning: [
    "tasks that run at once",
    "a `long` tool runs as a plain call; a task that the client wants, or a task-only tool, fails with `BUSY`",
  ],
  heartbeatMs: [
    "the silence of a call, where its client gave a progress token",
    "the client hears that the call still runs",
  ],
  questionTimeoutMs: [
    "the wait for the answer to one question",
    "the question is cancelled, the tool fails with `NO_ANSWER`",
  ],
  questionRounds: [
    "how often one stateless call may come back with answers",
    "an error result, code `TOO_MANY_ROUNDS`",
  ],
  keptBytes: [
    "what the tools of a sampling gave, as far as a stateless call takes it along from round to round",
    "an error result, code `TOO_MUCH_TO_KEEP`",
  ],
  samplingRounds: [
    "how often a client's model may use tools before it has to answer; `rounds` of `call.sample` goes before it",
    "the model must answer without tools, or an error result, code `TOO_MANY_ROUNDS`",
  ],
  subscriptions: ["open `subscriptions/listen` calls of one connection", "-32600"],
  watchedResources: [
    "resources that one session watches; resources, and tasks, that one `subscriptions/listen` call names",
    "-32600",
  ],
  changeRestMs: [
    "the rest of a resource, list or task after a change of it was told",
    "changes of the same thing within it are told once, at its end",
  ],
  changesPending: [
    "changes that wait to be told",
    "further ones of the same moment are not told, and the log says how many",
  ],
  notificationBurst: ["progress and log messages of one call in a second", "the surplus is dropped"],
  pageSize: [
    "entries of one page of a list; what a family of resources lists at once is not divided",
    "the list goes on with a cursor",
  ],
  drainMs: [
    "after the client is gone, each of: finishing calls, writing what is left, closing the packs",
    "what still runs is cancelled",
  ],
};

/** The words for the limits of HTTP, in the order of its own table. */
export const HTTP_LIMITS: Readonly<Record<keyof HttpLimits, Words>> = {
  connections: ["connections at once", "the new connection is closed, and the log says so"],
  sessions: ["sessions at once", "the session that was idle longest makes room; where none is idle, 503"],
  streams: ["event streams at once", "503; a call is answered without a stream"],
  sessionIdleMs: [
    "a session without a stream and without a request",
    "the session is forgotten: 404, and the client begins anew",
  ],
  headersMs: ["the time in which the headers of a request must have come", "408, and the connection is closed"],
  requestMs: ["the time in which a whole request must have come", "the same"],
  idleConnectionMs: ["a connection between two requests", "the connection is closed"],
  stalledMs: ["a client that takes nothing of a large answer", "the connection is closed"],
  headerBytes: ["all headers of a request", "431"],
  streamBytes: [
    "what waits for a client that reads slowly, beside one message",
    "the stream is dropped, and the log says so; in a session the client can come back",
  ],
  eventsKept: ["events of one session that are kept for a client that comes back", "the oldest event is forgotten"],
  eventBytes: ["such events of all sessions", "the oldest events of the session that was silent longest are forgotten"],
  keepAliveMs: ["the silence of a stream", "a comment is written to the stream"],
  clients: ["clients whose rate is remembered", "those with a full bucket, else those that came first, are forgotten"],
};

/** The words for the settings of the workstation that are limits. */
export const WORKSTATION_LIMITS: Readonly<Record<string, Words>> = {
  deadline_ms: [
    "one operation of the file system",
    "an error, code `TIMEOUT`; further ones on the same drive are refused at once",
  ],
  build_ms: ["a build or test run", "it ends with all that it has started"],
  journal_file_bytes: ["a file that is kept for undo", "the change is made, and says that it cannot be taken back"],
  journal_bytes: ["all that is kept for undo", "the oldest changes are forgotten"],
  journal_days: ["days for which changes are kept", "the same"],
};
