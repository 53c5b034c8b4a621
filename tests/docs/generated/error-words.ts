/** When an error of the protocol comes, what its `data` has, and what to do. */
export const PROTOCOL_ERRORS: readonly (readonly [code: string, when: string, holds: string, next: string])[] = [
  ["-32700", "not JSON, not UTF-8, or nested too deep", "", "send one JSON message a line, or one in each body"],
  [
    "-32600",
    "not a JSON-RPC message; an id that is in use; a request before `initialize`, or a second `initialize`; a batch where there are none",
    "",
    "the message says which; a client library that does not do this by itself is out of date",
  ],
  [
    "-32600",
    "over a limit: message, batch, subscriptions, watched resources, waiting `tasks/result`",
    "`limit`; for messages `bytes` and `most`",
    "send less, or raise [the limit](limits.md)",
  ],
  [
    "-32600",
    "a tool that needs [scopes](../guides/authorization.md) which the client was not granted",
    "`requiredScopes`",
    "get a token with these scopes",
  ],
  [
    "-32600",
    "headers that [choose tools](server-options.md#which-tools-are-offered) which are unknown",
    "`didYouMean`, where a name is near",
    "spell the header as `toolwright tools` lists the names",
  ],
  [
    "-32600",
    "the answer is a stream, and the client takes none",
    "",
    "send `Accept: application/json, text/event-stream`",
  ],
  [
    "-32601",
    "the method does not exist in the client's revision, or the server does not offer it",
    "",
    "look into the capabilities that the server declared",
  ],
  [
    "-32601",
    "`params.task` with a tool that is not `long`, or a task-only tool without it (2025-11-25)",
    "",
    "call it the other way; `execution.taskSupport` in the list says which",
  ],
  [
    "-32602",
    "params of the wrong shape; an unknown cursor, task, prompt argument or resource template; state of a question that is forged, too old or from another call",
    "",
    "begin the list, the task or the call anew",
  ],
  [
    "-32602",
    "an unknown tool or prompt, or a tool that is [switched off](server-options.md#which-tools-are-offered)",
    "`didYouMean`, where a name is near",
    "list again; the message says which option switches a tool on",
  ],
  ["-32602", "wrong arguments of a prompt", "`faults`", "correct each of the faults"],
  ["-32602", "wrong arguments of a tool, if `validationErrors` says so", "`faults`", "correct each of the faults"],
  ["-32602", "a URI that is none, that goes up, or whose variables do not fit", "`uri`", "take the URI from a list"],
  ["-32602", "there is no such resource; -32002 before 2026-07-28", "`uri`", "list the resources again"],
  [
    "-32602",
    "a stateless request without the `_meta` it needs",
    "`missing`",
    "send that member, or `initialize` first",
  ],
  [
    "-32603",
    "a prompt, resource or completion failed",
    "`code`, where its author gave one",
    "as the code says; the codes are those of tools",
  ],
  ["-32603", "a fault of the server", "", "what happened is in its log, under the reference in the message"],
  [
    "-32603",
    "the server is stopping, or has cut off what did not finish in time",
    "`retryable`, or `limit` and `elapsedMs`",
    "try again once it runs; look first whether a call that was cut off has had effects",
  ],
  [
    "-32020",
    "headers of an HTTP request that say something else than its body (2026-07-28)",
    "",
    "send `MCP-Protocol-Version`, `Mcp-Method` and `Mcp-Name` as the body has them; look at proxies between",
  ],
  [
    "-32021",
    "a stateless client would have to be asked, or to follow a task, and has not declared that it can",
    "`requiredCapabilities`",
    "declare the capability, or call something else",
  ],
  [
    "-32022",
    "a protocol version that is not served, or not in this way",
    "`supported`, `requested`",
    "speak one of `supported`; those with a handshake begin with `initialize`",
  ],
];

/** The failures that the engine itself makes of calls. */
export const ENGINE_FAILURES: readonly (readonly [code: string, when: string, holds: string, next: string])[] = [
  ["INVALID_ARGUMENTS", "the arguments do not fit", "`faults`, `example`", "call again as the example does"],
  [
    "TIMEOUT",
    "the call ran out of time",
    "`limit`, `elapsedMs`, `timeoutMs`",
    "ask for less, or give the tool more time (`timeoutMs`, or make it `long`)",
  ],
  [
    "BUSY",
    "too many calls run and wait, or too many tasks run; or the call [would come too late](server-options.md#who-may-run-and-who-waits) for its caller",
    "`limit`, `retryable`, `retryAfterMs`",
    "try again after `retryAfterMs`",
  ],
  [
    "RATE_LIMITED",
    "over the `rate` of the server, the tool or the principal",
    "`limit`, `retryable`, `retryAfterMs`",
    "try again after `retryAfterMs`",
  ],
  [
    "RESULT_TOO_LARGE",
    "the result is over `messageBytes`, and [results](../guides/results.md) are not cut",
    "`limit`, `bytes`, `most`",
    "ask for a part; authors: switch `results` on",
  ],
  [
    "RESULT_CUT",
    "nothing failed: the result is too large to show, and the tool has an [output schema](../guides/results.md#output-schemas)",
    'in `_meta["toolwright/result"]`',
    "read on with `read_result`",
  ],
  [
    "RESULT_NOT_FOUND",
    "`read_result` was given a handle that has expired, made room or never was",
    "",
    "call the tool again",
  ],
  [
    "CANNOT_ASK",
    "the tool has to [ask](../guides/asking.md#what-may-come-back), and the client cannot be asked",
    "",
    "use a client that can, or give what would be asked as an argument, where there is one",
  ],
  ["DECLINED", "the user does not let the client use its model or tell its folders", "", "respect it"],
  ["NO_ANSWER", "the question was not answered", "`limit`, where it was for time", "ask the user, then call again"],
  ["BAD_ANSWER", "the answer does not fit the form, or cannot be read", "", "call again, and answer as the form says"],
  [
    "TOO_MANY_ROUNDS",
    "a stateless call came back with answers too often, or a model used tools too often",
    "`limit`",
    "begin anew with fewer steps",
  ],
  ["TOO_MUCH_TO_KEEP", "a stateless call has too much to take along", "`limit`, `bytes`, `most`", "ask for less"],
  ["NEEDS_TASKS", "the tool runs only as a task, and the client cannot follow one", "", "use a client that can"],
  ["TASKS_FULL", "the store of tasks has no room", "`limit`, `retryable`", "try again when others have ended"],
  ["TASKS_UNAVAILABLE", "the store of tasks fails", "", "look into the log of the server"],
  ["STOPPED", "the server is being closed", "", "try again once it runs"],
  [
    "AUDIT_UNAVAILABLE",
    "the audit log cannot be written, and the server may not work without it",
    "`retryable`",
    "make room on its disk, or mend its path",
  ],
];

/** The failures that our packs make. */
export const PACK_FAILURES: readonly (readonly [code: string, when: string, next: string])[] = [
  [
    "INVALID_ARGUMENT",
    "an argument has the right type and is wrong all the same: a line after the end, a pattern that cannot be read",
    "read what the text says of it, and correct that one",
  ],
  [
    "NOT_FOUND",
    "there is no such file, folder, revision, task, collection, program or change",
    "take the `suggestion`, where there is one; else list first",
  ],
  [
    "ALREADY_EXISTS",
    "something has that name already",
    "take another name, or say that it may be replaced where the tool lets you",
  ],
  ["CONFLICT", "it has changed since it was read, or somebody else holds it", "read it again, then decide anew"],
  [
    "TOO_LARGE",
    "a file, an answer or a tree is over the bound of the tool",
    "ask for a part: a range, a narrower pattern, one folder",
  ],
  [
    "UNAVAILABLE",
    "something that the tool needs is not there or does not work: a program, a disk, a store, a thread",
    "the text names it; install it, make room, or try again",
  ],
  ["PARSE_FAILED", "a file or template cannot be read as what it should be", "mend the place that the text names"],
  [
    "FORBIDDEN_PATH",
    "outside the roots, hidden, or closed to the user of the server",
    "use a path inside `allowed`, or widen `roots` in the [configuration](configuration.md)",
  ],
  [
    "FORBIDDEN_COMMAND",
    "the settings do not allow this program, a repository wants to run one of its own, or the person who was asked said no",
    "leave it, or let a person change the `setting`",
  ],
  ["GIT_FAILED", "git said no", "the text has its words, and for the usual ones what to do"],
  ["CYCLE", "a task would wait for itself, or lie in itself", "take away one of the links in `path` first"],
  [
    "GATES_FAILED",
    "a version of a collection has not passed its checks, and may not answer",
    "mend what `failed` names and ingest again, or promote it with force",
  ],
  ["VERSION_MISMATCH", "a file was exported by a later version of the program", "use a newer one"],
  ["TEMPLATE_NOT_FOUND", "there is no such template", "`list_templates` and `search_templates` show what there is"],
  [
    "INVALID_TEMPLATE_URI",
    "the URI of a template is none",
    "`template://category/toolchain/variant`, as lists show it",
  ],
  ["UNKNOWN_TIME_ZONE", "the time zone is none that this system knows", "a name such as `Europe/Vienna`"],
  ["FORBIDDEN", "a page of another site tried to change something on the dashboard", "use the dashboard itself"],
];

/** The statuses of HTTP. */
export const STATUSES: readonly (readonly [status: string, when: string, next: string])[] = [
  ["200", "the answer, as JSON or as an event stream", ""],
  ["202", "a notification or an answer was taken", ""],
  ["204", "the session was ended; what a browser asks before it lets a page call", ""],
  [
    "400",
    "no JSON-RPC message; `Mcp-Session-Id` is missing; headers that say something else than the body (-32020); a header that came twice; a version that is not served",
    "the body says which",
  ],
  ["401", "no token or key, or a wrong one", "get one: `WWW-Authenticate` says which is needed"],
  [
    "403",
    "a [name or page](../guides/http.md#pages-and-names) that is not allowed; a token that does not allow enough",
    "add it to `allowedHosts` or `allowedOrigins`; get a token with the scopes in `WWW-Authenticate`",
  ],
  [
    "404",
    "another path; a session that is not, or not any more; a method that does not exist (2026-07-28)",
    "clients begin a new session with `initialize`",
  ],
  ["405", "a method of HTTP that means nothing there; a stream of which nothing is left", "`Allow` says which do"],
  [
    "406",
    "the client accepts neither JSON nor a stream, or not the one that it needs",
    "send `Accept: application/json, text/event-stream`",
  ],
  ["408", "the request did not come in time", "look at the network; the limits are `headersMs` and `requestMs`"],
  ["413", "the body is over `messageBytes`", "send less, or raise the limit, in proxies too"],
  ["415", "the body is not `application/json`, or compressed", "say so in `Content-Type`, and send it as it is"],
  ["429", "over the `rate`, or no room for the call now", "come again after `Retry-After`"],
  ["431", "the headers are over `headerBytes`", "send fewer or shorter ones"],
  ["500", "a fault of ours, or of `authenticate`", "the log has it"],
  [
    "503",
    "too many sessions or streams; the server is closing; a store or an issuer cannot be reached",
    "come again after `Retry-After`",
  ],
];

/** What to do after each exit code of the command. */
export const AFTER_EXIT: Readonly<Record<string, string>> = {
  "0": "",
  "1": "as that line says",
  "2": "the message names the word or setting, and the nearest right one",
  "3": "`toolwright doctor` on the same server says what is wrong with it",
  "130, 143": "",
};
