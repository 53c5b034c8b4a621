/** When a protocol error is sent, what its `data` has, and what to do. */
export const PROTOCOL_ERRORS: readonly (readonly [code: string, when: string, data: string, next: string])[] = [
  ["-32700", "not JSON, not UTF-8, or nested too deeply", "", "send one JSON message per line, or one per body"],
  [
    "-32600",
    "not a JSON-RPC message; an id that is in use; a request before `initialize`, or a second `initialize`; a batch in a revision without batches",
    "",
    "the message says which; update the client library",
  ],
  [
    "-32600",
    "a limit is exceeded: message, batch, subscriptions, resource subscriptions, waiting `tasks/result`",
    "`limit`; for messages `bytes` and `max`",
    "send less, or increase [the limit](limits.md)",
  ],
  [
    "-32600",
    "the tool needs [scopes](../guides/authorization.md) that the client does not have",
    "`requiredScopes`",
    "get a token with these scopes",
  ],
  [
    "-32600",
    "headers that [select tools](server-options.md#which-tools-are-offered) name an unknown one",
    "`didYouMean`, if a name is close",
    "use the names that `toolwright tools` lists",
  ],
  [
    "-32600",
    "the response is an event stream, which the client does not accept",
    "",
    "send `Accept: application/json, text/event-stream`",
  ],
  [
    "-32601",
    "the method does not exist in the client's revision, or the server does not offer it",
    "",
    "check the capabilities of the server",
  ],
  [
    "-32601",
    '`params.task` for a tool without `taskSupport`, or none for a tool with `taskSupport: "required"` (2025-11-25)',
    "",
    "call it the other way; `execution.taskSupport` in the list says which",
  ],
  [
    "-32602",
    "invalid params; an unknown cursor, task, prompt argument or resource template; a request state that is forged, expired or from another call",
    "",
    "start the list, the task or the call again",
  ],
  [
    "-32602",
    "an unknown tool or prompt, or a tool that is [disabled](server-options.md#which-tools-are-offered)",
    "`didYouMean`, if a name is close",
    "list again; the message says which option enables a tool",
  ],
  ["-32602", "invalid arguments of a prompt", "`issues`", "correct each of them"],
  ["-32602", "invalid arguments of a tool, if `compat.validationErrors` says so", "`issues`", "correct each of them"],
  [
    "-32602",
    "an invalid URI, one with `..`, or one whose variables do not match their schema",
    "`uri`",
    "use a URI from a list",
  ],
  ["-32602", "an unknown resource; -32002 before 2026-07-28", "`uri`", "list the resources again"],
  [
    "-32602",
    "a stateless request without a required member of `_meta`",
    "`missing`",
    "send that member, or `initialize` first",
  ],
  [
    "-32603",
    "a prompt, resource or completion failed",
    "`code`, if its author set one",
    "depends on the code; the codes are those of tools",
  ],
  ["-32603", "an internal error of the server", "", "find the reference of the message in the server's log"],
  [
    "-32603",
    "the server is stopping, or aborted a request that did not finish in time",
    "`retryable`, or `limit` and `elapsedMs`",
    "retry once it runs; an aborted call may have had effects, so check first",
  ],
  [
    "-32020",
    "the headers of an HTTP request contradict its body (2026-07-28)",
    "",
    "send `MCP-Protocol-Version`, `Mcp-Method` and `Mcp-Name` as in the body; check proxies in between",
  ],
  [
    "-32021",
    "a stateless client has not declared a capability that the call needs: elicitation, sampling, roots or tasks",
    "`requiredCapabilities`",
    "declare the capability, or call something else",
  ],
  [
    "-32022",
    "a protocol version that is not served, or not on this transport",
    "`supported`, `requested`",
    "use one of `supported`; those with a handshake start with `initialize`",
  ],
];

/** The tool errors that the engine itself creates. */
export const ENGINE_FAILURES: readonly (readonly [code: string, when: string, data: string, next: string])[] = [
  ["INVALID_ARGUMENTS", "the arguments do not match the schema", "`issues`, `example`", "call again like the example"],
  [
    "TIMEOUT",
    "the call timed out",
    "`limit`, `elapsedMs`, `timeoutMs`",
    "ask for less, or give the tool more time (`timeoutMs` or `taskSupport`)",
  ],
  [
    "BUSY",
    "too many calls run and wait, or too many tasks run; or the call [waited as long as its client waits](server-options.md#concurrency-and-queueing)",
    "`limit`, `retryable`, `retryAfterMs`",
    "retry after `retryAfterMs`",
  ],
  [
    "RATE_LIMITED",
    "the `rate` of the server, the tool or the principal is exceeded",
    "`limit`, `retryable`, `retryAfterMs`",
    "retry after `retryAfterMs`",
  ],
  [
    "RESULT_TOO_LARGE",
    "the result exceeds `messageBytes`, and [large results](../guides/large-results.md) are off",
    "`limit`, `bytes`, `max`",
    "ask for a part; authors: set `largeResults`",
  ],
  [
    "RESULT_CUT",
    "no failure: the result is truncated, and the tool has an [output schema](../guides/large-results.md#output-schemas)",
    'in `_meta["toolwright/result"]`',
    "read the rest with `read_result`",
  ],
  [
    "RESULT_NOT_FOUND",
    "the handle for `read_result` has expired, was evicted or is unknown",
    "",
    "call the tool again",
  ],
  [
    "CANNOT_ASK",
    "the tool needs [elicitation](../guides/elicitation.md#responses-and-errors), which the client does not support",
    "",
    "use a client that supports it, or pass the value as an argument, if the tool has one",
  ],
  ["DECLINED", "the user declined a sampling or roots request", "", "respect it"],
  ["NO_ANSWER", "an input request got no response", "`limit`, if it timed out", "ask the user, then call again"],
  [
    "BAD_ANSWER",
    "the response to an input request does not match the form, or is invalid",
    "",
    "call again, and respond as the form requires",
  ],
  [
    "TOO_MANY_ROUNDS",
    "a stateless call was repeated with responses too often, or a model used tools too often",
    "`limit`",
    "start again with fewer steps",
  ],
  ["TOO_MUCH_TO_KEEP", "the request state of a stateless call is too large", "`limit`, `bytes`, `max`", "ask for less"],
  ["NEEDS_TASKS", "the tool runs only as a task, and the client does not support tasks", "", "use a client that does"],
  ["TASKS_FULL", "the task store is full", "`limit`, `retryable`", "retry when other tasks have ended"],
  ["TASKS_UNAVAILABLE", "the task store failed", "", "check the log of the server"],
  ["STOPPED", "the server is closing", "", "retry once it runs"],
  [
    "AUDIT_UNAVAILABLE",
    "the audit log cannot be written, and the server must not work without it",
    "`retryable`",
    "free disk space, or correct its path",
  ],
];

/** The tool errors of our packs. */
export const PACK_FAILURES: readonly (readonly [code: string, when: string, next: string])[] = [
  [
    "INVALID_ARGUMENT",
    "an argument has the right type but an invalid value: a line after the end, a pattern that cannot be parsed",
    "correct the argument that the message names",
  ],
  [
    "NOT_FOUND",
    "an unknown file, folder, revision, task, collection, program or change",
    "use the `suggestion`, if there is one; otherwise list first",
  ],
  [
    "ALREADY_EXISTS",
    "the name is already taken",
    "use another name, or allow replacement if the tool has an argument for it",
  ],
  ["CONFLICT", "it has changed since it was read, or another client has claimed it", "read it again, then decide"],
  [
    "TOO_LARGE",
    "a file, a result or a tree exceeds the limit of the tool",
    "ask for a part: a range, a narrower pattern, one folder",
  ],
  [
    "UNAVAILABLE",
    "something that the tool needs is missing or does not work: a program, a disk, a store, a thread",
    "the message names it; install it, free space, or retry",
  ],
  ["PARSE_FAILED", "a file or template cannot be parsed", "correct the position that the message names"],
  [
    "FORBIDDEN_PATH",
    "outside the roots, hidden, or not accessible to the user of the server",
    "use a path inside `allowed`, or extend `roots` in the [configuration](configuration.md)",
  ],
  [
    "FORBIDDEN_COMMAND",
    "the settings do not allow this program, a repository wants to run one of its own, or the user declined",
    "do without it, or let a person change the `setting`",
  ],
  ["GIT_FAILED", "git failed", "the message has git's output, and for common errors what to do"],
  ["CYCLE", "a task would block or contain itself", "remove one of the links in `path` first"],
  [
    "GATES_FAILED",
    "a version of a collection has not passed its checks and cannot be activated",
    "fix what `failed` names and ingest again, or promote it with force",
  ],
  ["VERSION_MISMATCH", "a file was exported by a newer version of the program", "update the program"],
  ["TEMPLATE_NOT_FOUND", "an unknown template", "`list_templates` shows the known ones"],
  ["INVALID_TEMPLATE_URI", "an invalid template URI", "`template://category/toolchain/variant`, as in the lists"],
  ["UNKNOWN_TIME_ZONE", "a time zone that this system does not know", "use a name such as `Europe/Vienna`"],
  ["FORBIDDEN", "a page of another site tried to change something on the dashboard", "use the dashboard itself"],
];

/** The HTTP status codes. */
export const STATUSES: readonly (readonly [status: string, when: string, next: string])[] = [
  ["200", "the response, as JSON or as an event stream", ""],
  ["202", "a notification or a response was accepted", ""],
  ["204", "the session was ended; a CORS preflight request was accepted", ""],
  [
    "400",
    "no JSON-RPC message; `Mcp-Session-Id` is missing; headers contradict the body (-32020); a duplicate header; a version that is not served",
    "the body says which",
  ],
  ["401", "a missing or invalid token or key", "get one: `WWW-Authenticate` says which is needed"],
  [
    "403",
    "a [host or origin](../guides/http.md#host-and-origin-validation) that is not allowed; a token with insufficient scopes",
    "add it to `allowedHosts` or `allowedOrigins`; get a token with the scopes in `WWW-Authenticate`",
  ],
  [
    "404",
    "an unknown path; an unknown or expired session; an unknown method (2026-07-28)",
    "clients start a new session with `initialize`",
  ],
  ["405", "an HTTP method that the path does not support; a stream without stored events", "`Allow` lists the methods"],
  [
    "406",
    "the client accepts neither JSON nor an event stream, or not the one that is needed",
    "send `Accept: application/json, text/event-stream`",
  ],
  ["408", "the request did not arrive in time", "check the network; the limits are `headersMs` and `requestMs`"],
  ["413", "the body exceeds `messageBytes`", "send less, or increase the limit, also in proxies"],
  ["415", "the body is not `application/json`, or compressed", "set `Content-Type`, and send it uncompressed"],
  ["429", "the `rate` is exceeded, or the server is busy", "retry after `Retry-After`"],
  ["431", "the headers exceed `headerBytes`", "send fewer or shorter ones"],
  ["500", "an internal error, or an error of `authenticate`", "check the log"],
  [
    "503",
    "too many sessions or streams; the server is closing; a store or an issuer is unavailable",
    "retry after `Retry-After`",
  ],
];

/** What to do after each exit code of the command. */
export const AFTER_EXIT: Readonly<Record<string, string>> = {
  "0": "",
  "1": "depends on that line",
  "2": "correct the argument or setting that the message names; it suggests the closest known one",
  "3": "run `toolwright doctor` on the same server",
  "130, 143": "",
};
