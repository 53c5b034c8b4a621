import * as errors from "../../../packages/engine/src/jsonrpc/errors.js";
import type { Revision } from "../../../packages/engine/src/revisions/revision.js";
import { REVISIONS } from "../../../packages/engine/src/revisions/select.js";
import { legacyError } from "../../../packages/engine/src/server/legacy-codes.js";
import { EXIT_CODES } from "../../../packages/toolwright/src/cli/write-help.js";
import { AFTER_EXIT, ENGINE_FAILURES, PACK_FAILURES, PROTOCOL_ERRORS, STATUSES } from "./error-words.js";
import { GENERATED, page, table } from "./markdown.js";

/** One error of each kind, with what it is; those of the stateless revision alone are not said to others. */
const KINDS: readonly (readonly [what: string, error: errors.RpcError, onlyStateless?: true])[] = [
  ["not JSON", errors.parseError("x")],
  ["no message that may stand here, or over a limit", errors.invalidRequest("x")],
  ["unknown method", errors.methodNotFound("x")],
  ["wrong params, unknown tool", errors.invalidParams("x")],
  ["no such resource", errors.resourceNotFound("x:y")],
  ["a request lacks its `_meta`", errors.missingMember("x", "x"), true],
  ["a fault of the server, a failed prompt or resource", errors.internalError("x")],
  ["the server is stopping", errors.stopping()],
  ["scopes are missing", errors.insufficientScope("x", ["x"])],
  ["a stream is needed", errors.needsStream("x")],
  ["headers against the body", errors.headerMismatch("x"), true],
  ["capabilities are missing", errors.missingCapability({ x: {} }), true],
  ["version not served", errors.unsupportedVersion("x", [])],
];

/** What an error is on the wire of each revision; neighbours that agree in everything share a column. */
function byRevision(): string {
  const cellOf = (revision: Revision, [, error, onlyStateless]: (typeof KINDS)[number]) =>
    onlyStateless && revision.handshake
      ? ""
      : `${JSON.stringify(revision.writeError(error)["code"])}, ${revision.statusOf(error)}`;
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

const LINES = ["paiml", "rag", "ancplua"] as const;
const OLD_NAMES: readonly (readonly [what: string, name: string])[] = [
  ["unknown tool", "UNKNOWN_TOOL"],
  ["wrong arguments (`INVALID_ARGUMENTS`)", "INVALID_ARGUMENTS"],
  ["a failed tool without a code of its own, expected or not", "FAILED"],
  ["`TIMEOUT`", "TIMEOUT"],
  ["`RATE_LIMITED`", "RATE_LIMITED"],
  ["`TEMPLATE_NOT_FOUND` thrown by a tool", "TEMPLATE_NOT_FOUND"],
  ["`INVALID_TEMPLATE_URI` thrown by a tool", "INVALID_TEMPLATE_URI"],
  ["`RESOURCE_NOT_FOUND` thrown by a tool", "RESOURCE_NOT_FOUND"],
  ["unknown resource", "UNKNOWN_RESOURCE"],
];

function oldNumbers(): string {
  const numberOf = (line: (typeof LINES)[number], name: string) => String(legacyError(line, name, "")?.code ?? "");
  return table(
    ["", ...LINES.map((line) => `\`"${line}"\``)],
    OLD_NAMES.map(([what, name]) => [what, ...LINES.map((line) => numberOf(line, name))]),
  );
}

function exitCodes(): string {
  const rows = [...EXIT_CODES.matchAll(/^ {2}(\d+(?:, \d+)*) +(.+)$/gm)].map(([, code = "", when = ""]) => [
    code,
    when,
    AFTER_EXIT[code] ?? "nobody has said what to do",
  ]);
  return table(["code", "when", "what to do"], rows);
}

/** docs/reference/errors.md */
export function writeErrorsPage(): string {
  const quoted = (code: string) => `\`${code}\``;
  return page(
    "# Errors",
    GENERATED,
    "What went wrong is told at the level at which it can be mended: to the model as a failed result, to the client as an error of the\nprotocol or a status of HTTP, to a person or a script as the exit code of a command. Each says what was done, what is the case, and\nwhat to do next.",
    "## Failures of a tool",
    'They are results with `isError: true`: the text is for the model, `code` in the structured content for programs (from 2025-06-18\non; before, there is only the text). A tool with an output schema has it in `_meta["toolwright/failure"]` instead, on every\nrevision: clients hold structured content against the schema even in a failure.',
    table(
      ["code", "when", "also there", "what to do"],
      [
        ...ENGINE_FAILURES.map(([code, ...rest]) => [quoted(code), ...rest]),
        ["none", "the tool failed unexpectedly", "", "the text has a reference to the log"],
      ],
    ),
    "A call that the client has cancelled gets no answer at all.",
    "No model sees the failures of prompts, resources and completions: there they are errors -32603 with the `code` and what else\nthere is in `data`. So is a task that 2025-11-25 clients want and cannot have.",
    "### Codes of the packs",
    "The tools of `toolwright serve` have these besides; [tools of your own](../guides/writing-tools.md#failing) may have any.",
    table(
      ["code", "when", "what to do"],
      PACK_FAILURES.map(([code, ...rest]) => [quoted(code), ...rest]),
    ),
    "## Errors of the protocol",
    table(["error", "when", "`data`", "what to do"], PROTOCOL_ERRORS),
    "### The same by revision",
    "The code, and over HTTP the status of an answer that is this error. In the revisions with a handshake most are answers like any other,\nso their status is 200: a client would take 404 for the end of its session.",
    byRevision(),
    "### Numbers of older servers",
    "`legacyCodes` turns some failures into errors with the numbers that clients of these servers know.",
    oldNumbers(),
    "## Statuses of HTTP",
    "A status other than 2xx comes with a JSON-RPC error that says why and what to do. It has no id where the request was not even\nread. What is no HTTP at all, or too slow or too large in its headers, Node refuses by itself (400, 408, 417, 431), without a body.",
    table(["status", "when", "what to do"], STATUSES),
    "## Exit codes",
    "Of every command of `toolwright`; what else `serve` says at its end is in [Command line](command-line.md).",
    exitCodes(),
  );
}
