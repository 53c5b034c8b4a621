import { later, partly, type Requirement, row } from "./row.js";

/** What passes beside the calls: ping, cancellation, progress, logging, pages and completion. */
export const traffic: readonly Requirement[] = [
  row("PING-01", "L", "any", "ping gets an empty object at once, also before initialize"),
  ...later("operation", [row("PING-02", "L", "any", "the server may ping a client and give up a silent one")]),
  row("CANC-01", "ALL", "any", "a cancelled request stops and gets no response"),
  row("CANC-02", "ALL", "any", "cancellations of unknown, finished or ill-named requests are ignored"),
  ...later("http", [
    row("CANC-03", "26", "http", "closing the response stream cancels; a posted cancellation gets 202"),
    row("CANC-04", "03 06 11", "http", "a dropped connection does not cancel"),
  ]),
  row("CANC-05", "L", "any", "cancellations we send name only our own pending requests"),
  row("CANC-06", "26", "any", "to modern clients a cancellation only ends a listen call"),
  partly("tasks/cancel for tasks", row("CANC-07", "11", "any", "a cancellation without requestId is ignored")),
  row("PROG-01", "ALL", "any", "the progress token comes back with its type"),
  row("PROG-02", "ALL", "any", "progress is sent only while its request runs, and not in bursts"),
  row("PROG-03", "ALL", "any", "progress strictly grows; message from 2025-03-26 on"),
  ...later("http", [row("PROG-04", "03 06 11 26", "http", "progress uses the stream of its response")]),
  ...later("surface", [row("PROG-05", "11", "any", "a task keeps its token until it ends")]),
  row("LOG-01", "ALL", "any", "log messages need the logging capability and have one of eight levels"),
  partly(
    "a level per HTTP session",
    row("LOG-02", "L", "any", "logging/setLevel filters from then on, for this process only"),
  ),
  row("LOG-03", "L", "any", "before any setLevel the server chooses what to send"),
  row("LOG-04", "ALL", "any", "an unknown level gets -32602"),
  row("LOG-05", "26", "any", "a modern request without a log level produces no log message"),
  row("LOG-06", "26", "any", "with one: at or above it, before the response, never on a listen call"),
  partly("redaction lists", row("LOG-07", "ALL", "any", "log messages carry no internals and are limited in rate")),
  partly("the other lists", row("PAGE-01", "ALL", "any", "tools/list takes a cursor")),
  row("PAGE-02", "ALL", "any", "nextCursor is there only when more follows"),
  row("PAGE-03", "ALL", "any", "cursors are opaque; an empty one is a wrong one"),
  row("PAGE-04", "ALL", "any", "a wrong cursor gets -32602"),
  row("PAGE-05", "ALL", "any", "walking the pages yields each item exactly once"),
  ...later("surface", [
    row("CMPL-01", "ALL", "any", "completion takes a prompt or resource reference and an argument"),
    row("CMPL-02", "ALL", "any", "at most 100 values, total and hasMore truthful"),
    row("CMPL-03", "06 11 26", "any", "context.arguments is used"),
    row("CMPL-04", "03 06 11 26", "any", "an unknown reference gets -32602, an absent feature -32601"),
    row("CMPL-05", "ALL", "any", "completion is validated, limited and leaks nothing"),
  ]),
];
