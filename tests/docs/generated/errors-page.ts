import * as errors from "../../../packages/engine/src/jsonrpc/errors.js";
import { REVISIONS } from "../../../packages/engine/src/revisions/negotiation.js";
import type { Revision } from "../../../packages/engine/src/revisions/revision.js";
import { EXIT_STATUS } from "../../../packages/toolwright/src/cli/program-help.js";
import { AFTER_EXIT, ENGINE_FAILURES, PACK_FAILURES, PROTOCOL_ERRORS, STATUSES } from "./error-words.js";
import { GENERATED, page, table } from "./markdown.js";

/** One error of each kind, with what it is; those of the stateless revision alone are not said to others. */
const KINDS: readonly (readonly [what: string, error: errors.RpcError, onlyStateless?: true])[] = [
  ["not JSON", errors.parseError("x")],
  ["invalid message, or a limit is exceeded", errors.invalidRequest("x")],
  ["unknown method", errors.methodNotFound("x")],
  ["invalid params, unknown tool", errors.invalidParams("x")],
  ["unknown resource", errors.resourceNotFound("x:y")],
  ["`_meta` is missing", new errors.MissingMemberError("x", "x"), true],
  ["internal error, failed prompt or resource", errors.internalError("x")],
  ["the server is stopping", errors.shuttingDown()],
  ["insufficient scopes", errors.insufficientScope("x", ["x"])],
  ["the client does not accept the needed stream", errors.streamRequired("x")],
  ["headers contradict the body", errors.headerMismatch("x"), true],
  ["missing capabilities", errors.missingCapability({ x: {} }), true],
  ["unsupported version", errors.unsupportedProtocolVersion("x", [])],
];

/** What an error is on the wire of each revision; neighbours that agree in everything share a column. */
function byRevision(): string {
  const cellOf = (revision: Revision, [, error, onlyStateless]: (typeof KINDS)[number]) =>
    onlyStateless && revision.handshake
      ? ""
      : `${JSON.stringify(revision.writeError(error)["code"])}, ${revision.httpStatus(error)}`;
  const columns = REVISIONS.map((revision) => ({
    names: [revision.version],
    cells: KINDS.map((kind) => cellOf(revision, kind)),
  }));
  const merged = columns.reduce<typeof columns>((before, column) => {
    const last = before.at(-1);
    if (last?.cells.join(";") === column.cells.join(";")) last.names.unshift(...column.names);
    else before.push(column);
    return before;
  }, []);
  const head = merged.map(({ names }) => [...new Set([names[0], names.at(-1)])].join(" to "));
  return table(
    ["error", ...head],
    KINDS.map(([what], at) => [what, ...merged.map(({ cells }) => cells[at] ?? "")]),
  );
}

function exitCodes(): string {
  const rows = [...EXIT_STATUS.matchAll(/^(\d+(?:, \d+)*) +(.+)$/gm)].map(([, code = "", when = ""]) => [
    code,
    when,
    AFTER_EXIT[code] ?? "undocumented",
  ]);
  return table(["code", "when", "what to do"], rows);
}

/** docs/reference/errors.md */
export function writeErrorsPage(): string {
  const quoted = (code: string) => `\`${code}\``;
  return page(
    "# Errors",
    GENERATED,
    "This page lists every error. An error is reported where it can be fixed: to the model as a tool result, to the client as a protocol\nerror or an HTTP status, to a person or a script as the exit code of a command. Each says what failed, why, and what to do next.",
    "## Tool errors",
    'A tool error is a result with `isError: true`. The text is for the model; `code` in the structured content is for programs (since\n2025-06-18; before, there is only the text). For a tool with an output schema the code is in `_meta["toolwright/failure"]` instead, in\nevery revision, because clients validate structured content against the schema even in an error. If something helps, the text\nsays so in a sentence, and the structured error has it as `hint`: the `action`, and if a tool does it, the `tool` and its `arguments`.',
    table(
      ["code", "when", "other members", "what to do"],
      [
        ...ENGINE_FAILURES.map(([code, ...rest]) => [quoted(code), ...rest]),
        ["none", "the tool failed unexpectedly", "", "find the reference of the text in the server's log"],
      ],
    ),
    "A call that the client has cancelled gets no response.",
    "Models do not see errors of prompts, resources and completions. They are protocol errors, -32603, with the `code` and the other members\nin `data`. So is the error for a task that a client of 2025-11-25 requested and cannot get.",
    "### Error codes of the packs",
    "The tools of `toolwright serve` use these codes as well; [your own tools](../guides/writing-tools.md#errors) may use any.",
    table(
      ["code", "when", "what to do"],
      PACK_FAILURES.map(([code, ...rest]) => [quoted(code), ...rest]),
    ),
    "## Protocol errors",
    table(["error", "when", "`data`", "what to do"], PROTOCOL_ERRORS),
    "### Errors by revision",
    "The error code, and the HTTP status of the response. In the revisions with a handshake most errors have status 200: clients would\ntake 404 for the end of the session.",
    byRevision(),
    "### Errors of other servers",
    "[`compat.errors`](server-options.md#errors) changes the code, the message and the data of errors, for clients that expect those of another\nserver. The [profiles](../guides/profiles.md) set them.",
    "## HTTP status codes",
    "A status other than 2xx comes with a JSON-RPC error that says why and what to do. It has no id if the request was not read. Node itself\nrejects invalid HTTP, and headers that are too slow or too large (400, 408, 431), without a body.",
    table(["status", "when", "what to do"], STATUSES),
    "## Exit codes",
    "The exit codes of all `toolwright` commands; [Command line](command-line.md) has more about `serve`.",
    exitCodes(),
  );
}
