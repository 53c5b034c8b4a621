import { RpcError, truncate } from "../../jsonrpc/errors.js";
import { encodeNotification, type JsonObject, type RequestId } from "../../jsonrpc/messages.js";
import { ToolError } from "../../protocol/outcome.js";
import { LOG_LEVELS, type LogLevel } from "../../protocol/types.js";
import type { Connection } from "../connection.js";
import type { CallOutcome } from "../limits/metrics.js";
import type { RequestContext } from "../request-context.js";
import type { Session } from "../session.js";
import type { ServerState } from "../state.js";
import type { LoggedRejection } from "./rejection-log.js";

/** What a client is told about its own requests and session; no other client sees it. */
interface ClientLogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly details: JsonObject;
}

const CALL_LEVELS: Readonly<Record<CallOutcome, LogLevel>> = {
  ok: "info",
  cancelled: "notice",
  failed: "error",
  refused: "error",
};

/** Whether an entry is at least as severe as a client wants. */
export const isWanted = (level: LogLevel, minLevel: LogLevel | undefined): boolean =>
  minLevel !== undefined && LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(minLevel);

/** Encodes a log message for a client. `data` is redacted. */
export function encodeLogMessage(
  state: Pick<ServerState, "settings">,
  level: LogLevel,
  data: unknown,
  logger?: string,
) {
  const name = logger === undefined ? "" : `"logger":${JSON.stringify(logger)},`;
  const params = `{"level":"${level}",${name}"data":${state.settings.redaction.json(data)}}`;
  return encodeNotification("notifications/message", params);
}

const encodeEntry = (state: ServerState, { level, message, details }: ClientLogEntry): string =>
  encodeLogMessage(state, level, { message, ...details }, state.settings.info.name);

/** Sends an entry to the client of a message. */
function sendEntry(state: ServerState, connection: Connection, entry: ClientLogEntry): void {
  if (connection.isBackpressured === true) return;
  const message = encodeEntry(state, entry);
  state.recorder?.record("server", connection.session, message);
  connection.send(message);
}

/** JSON has no exact large integers. */
const toJsonId = (id: RequestId): string | number => (typeof id === "bigint" ? String(id) : id);

/** Tells a client what is rejected, and why. */
export function logRejectionToClient(
  state: ServerState,
  connection: Connection,
  { reason, method = "message", requestId }: Pick<LoggedRejection, "reason" | "method" | "requestId">,
): void {
  const { clientLog, rejectionLevel: level } = state.settings;
  if (!clientLog || !isWanted(level, connection.session.logLevel)) return;
  const details = requestId === undefined ? {} : { requestId: toJsonId(requestId) };
  sendEntry(state, connection, { level, message: `${truncate(method)} rejected: ${reason}`, details });
}

/** Tells the client of a call that has ended how it ended. Rejected calls have been reported. */
export function logCallToClient(call: RequestContext, durationMs: number, code: string | undefined): void {
  const { state, connection, revision, caller, kind, name, request, outcome, failure } = call;
  const level = CALL_LEVELS[outcome];
  const minLevel = revision.handshake ? connection.session.logLevel : caller.logLevel;
  if (call.isRejected || call.taskSink !== undefined || !isWanted(level, minLevel)) return;
  const isKnown = failure instanceof ToolError || failure instanceof RpcError;
  sendEntry(state, connection, {
    level,
    message: `${request.method} ${name} ${outcome}${isKnown ? `: ${failure.message}` : ""}`,
    details: {
      requestId: toJsonId(request.id),
      ...(kind === "tool" && { tool: name }),
      ...(code !== undefined && { code }),
      durationMs: Math.round(durationMs * 10) / 10,
    },
  });
}

/** Tells a client about a change of its session, if the server does so and the client has set a level. */
export function logToSession(state: ServerState, session: Session, message: string): void {
  if (state.settings.clientLog && isWanted("info", session.logLevel))
    session.push(encodeEntry(state, { level: "info", message, details: {} }));
}
