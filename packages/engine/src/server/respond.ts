import { internalError, isInternalError, RpcError } from "../jsonrpc/errors.js";
import { encodeError, encodeResult, type JsonObject } from "../jsonrpc/messages.js";
import { type Outcome, ToolError, toErrorData, toModelMessage } from "../protocol/outcome.js";
import { writeError } from "./compat/errors.js";
import { writeReducedResult } from "./compat/tool-results.js";
import type { Rejection } from "./connection.js";
import { InvalidArgumentsError } from "./definitions/invalid-arguments.js";
import { getRetryAfterMs } from "./limits/rejections.js";
import type { RequestContext } from "./request-context.js";
import { monotonicNow } from "./runtime.js";

/** Some clients drop progress that arrives together with the result, so the result is delayed by this much. */
const PROGRESS_LEAD_MS = 20;

/** The HTTP status of a call that a limit rejected. */
const BUSY_STATUS = 429;

/** Responds when the outcome is there. */
export function respondLater(ctx: RequestContext, outcome: Promise<Outcome>): void {
  ctx.markActive();
  outcome.then(
    (settled) => respond(ctx, settled),
    (error: unknown) => respondWithError(ctx, error),
  );
}

/** Encodes the outcome and sends it, or stores it in the task. Does nothing if the request is already done. */
export function respond(ctx: RequestContext, outcome: Outcome): void {
  if (ctx.isDone) return;
  ctx.outcome = outcome.kind === "tool" && outcome.result.isError ? "failed" : "ok";
  const { taskSink } = ctx;
  let message = "";
  try {
    if (taskSink === undefined) message = encodeOutcome(ctx, outcome);
    else taskSink.complete(outcome);
  } catch (error) {
    return respondWithFailure(ctx, error);
  }
  ctx.end();
  if (taskSink !== undefined) return;
  const rejection = ctx.failure === undefined ? undefined : busyRejection(ctx.failure);
  if (rejection !== undefined) ctx.logRejection((ctx.failure as ToolError).message);
  // Known for lists without scanning the text; scanning would copy it.
  const extraBytes = outcome.kind === "text" && typeof ctx.request.id !== "string" ? outcome.extraBytes : undefined;
  deliver(ctx, message, rejection, extraBytes === undefined ? undefined : message.length + extraBytes);
}

/** Responds with a JSON-RPC error. */
export function respondWithError(ctx: RequestContext, error: unknown): void {
  if (ctx.isDone) return logUndelivered(ctx, error);
  const rpcError = error instanceof RpcError ? error : toInternalError(ctx, error);
  // A rule may have written another error in its place.
  const cause = ctx.failure instanceof ToolError ? ctx.failure : undefined;
  if (isRejection(ctx, rpcError)) ctx.logRejection(cause?.message ?? rpcError.message);
  ctx.outcome = "refused";
  ctx.failure = error;
  const { taskSink } = ctx;
  if (taskSink === undefined) {
    const retryAfterMs = getRetryAfterMs(cause?.details ?? rpcError.data);
    const status = retryAfterMs === undefined ? ctx.revision.httpStatus(rpcError) : BUSY_STATUS;
    const message = encodeErrorResponse(ctx, rpcError);
    ctx.end();
    deliver(ctx, message, { status, error: rpcError, ...(retryAfterMs !== undefined && { retryAfterMs }) });
  } else {
    ctx.end();
    taskSink.fail(rpcError);
  }
}

/** The outcome could not be encoded: the invocation reports that as its own error, once. */
function respondWithFailure(ctx: RequestContext, error: unknown): void {
  const { invocation } = ctx;
  if (invocation === undefined || ctx.isUnencodable) return respondWithError(ctx, error);
  ctx.isUnencodable = true;
  ctx.failure = error;
  try {
    const outcome = invocation.fail(error);
    if (isThenable(outcome)) respondLater(ctx, outcome);
    else respond(ctx, outcome);
  } catch (failure) {
    respondWithError(ctx, failure);
  }
}

/** The response with this outcome. Throws if it exceeds the message limit. */
export function encodeOutcome(ctx: RequestContext, outcome: Outcome): string {
  const { state, revision, request, invocation } = ctx;
  const { settings, serverInfoMeta } = state;
  const isReduced = outcome.kind === "tool" && (settings.toolResults !== "full" || ctx.isDirect);
  const result = isReduced ? writeReducedResult(ctx, outcome.result) : revision.writeResult(outcome, serverInfoMeta);
  const message = encodeResult(request.id, result);
  const { messageBytes } = settings.limits;
  // No character takes more than three bytes, so most messages need not be counted.
  const issue = message.length * 3 <= messageBytes ? undefined : sizeError(message, messageBytes);
  if (issue === undefined) return message;
  if (invocation === undefined) throw internalError(issue.message, issue.details);
  throw new ToolError(issue.message, { code: "RESULT_TOO_LARGE", details: issue.details });
}

/** Whether an error rejects the request. Failures of author code do not, and invalid arguments are logged where they are found. */
function isRejection({ failure }: RequestContext, error: RpcError): boolean {
  if (failure instanceof ToolError) return busyRejection(failure) !== undefined;
  return !isInternalError(error) && !(failure instanceof InvalidArgumentsError);
}

/** Even an error whose data cannot be encoded gets a response. */
function encodeErrorResponse(ctx: RequestContext, error: RpcError): string {
  const { state, revision, id, request } = ctx;
  try {
    return encodeError(id, writeError(state.settings, revision, error, request));
  } catch (failure) {
    return encodeError(id, revision.writeError(toInternalError(ctx, failure)));
  }
}

/** Why a message is too large to send, or undefined. A client would drop the connection on receiving it. */
export function sizeError(encoded: string, maxBytes: number): { message: string; details: JsonObject } | undefined {
  // No character takes more than three bytes, so most messages need not be counted.
  if (encoded.length * 3 <= maxBytes) return undefined;
  const bytes = Buffer.byteLength(encoded);
  if (bytes <= maxBytes) return undefined;
  const message = `The result has ${bytes} bytes; the limit is ${maxBytes}. Ask for less at once.`;
  return { message, details: { limit: "messageBytes", bytes, max: maxBytes } };
}

/** Sends a response. If progress was sent just before, the response is delayed a little. */
export function deliver(ctx: RequestContext, message: string, rejection?: Rejection, bytes?: number): void {
  const { connection, lastProgressAt } = ctx;
  const leadMs = lastProgressAt === 0 ? 0 : lastProgressAt + PROGRESS_LEAD_MS - monotonicNow();
  if (leadMs <= 0) return sendResponse(ctx, message, rejection, bytes);
  connection.onLongRunning?.();
  connection.session.delay(() => sendResponse(ctx, message, rejection, bytes), leadMs);
}

function sendResponse(ctx: RequestContext, message: string, rejection?: Rejection, bytes?: number): void {
  const { state, connection } = ctx;
  state.recorder?.record("server", connection.session, message);
  try {
    connection.respond(message, rejection, bytes);
  } catch (error) {
    logUndelivered(ctx, error);
  }
}

/** Sends a message before the response. One over the limit is logged and dropped. */
export function sendMessage(ctx: RequestContext, message: string): void {
  const { state, request, taskSink } = ctx;
  const { limits, log } = state.settings;
  if (sizeError(message, limits.messageBytes) !== undefined)
    log({ level: "warning", message: `a message of ${request.method} was too large to send`, requestId: request.id });
  else if (taskSink === undefined) sendRecorded(ctx, message);
  else taskSink.send(message);
}

/** Sends a message that is not a response. */
export function sendRecorded({ state, connection }: RequestContext, message: string): void {
  state.recorder?.record("server", connection.session, message);
  connection.send(message);
}

/** How HTTP reports a tool error that a limit caused; undefined for every other outcome. */
function busyRejection(failure: unknown): Rejection | undefined {
  const retryAfterMs = failure instanceof ToolError ? getRetryAfterMs(failure.details) : undefined;
  return retryAfterMs === undefined ? undefined : { status: BUSY_STATUS, retryAfterMs };
}

/** Logs an unexpected error and returns the error that the client receives. */
export function toInternalError({ state, request }: RequestContext, error: unknown): RpcError {
  if (error instanceof ToolError) return internalError(toModelMessage(error), toErrorData(error));
  state.settings.log({ level: "error", message: `${request.method} failed`, requestId: request.id, error });
  return internalError("Internal error: the details are in the server's log");
}

/** Logs an error that came too late for a response. Errors of cancelled or failed calls are expected. */
function logUndelivered({ state, request, outcome, failure }: RequestContext, error: unknown): void {
  if (outcome === "cancelled" || failure !== undefined || (error as Error | undefined)?.name === "AbortError") return;
  state.settings.log({ level: "error", message: `${request.method} was not answered`, requestId: request.id, error });
}

/** Reports that a cancelled request gets no response. */
export function respondNothing({ connection, taskSink }: RequestContext): void {
  if (taskSink === undefined) connection.respond(undefined);
}

/** Whether a value is a promise or another thenable. */
export function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}
