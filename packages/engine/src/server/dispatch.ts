import {
  internalError,
  invalidRequest,
  limitExceeded,
  methodNotFound,
  RpcError,
  shuttingDown,
  tooManyRequests,
} from "../jsonrpc/errors.js";
import {
  arrayElementTexts,
  encodeError,
  isObject,
  type Json,
  type JsonObject,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  parseJson,
  parseMessage,
  type RequestId,
  readExactInteger,
  type SourceText,
} from "../jsonrpc/messages.js";

import type { Caller } from "../protocol/types.js";
import { selectRevision } from "../revisions/negotiation.js";
import type { Revision } from "../revisions/revision.js";
import { directMethodToToolCall } from "./compat/direct-methods.js";
import { writeError } from "./compat/errors.js";
import { removeNullParams } from "./compat/snake-case.js";
import type { Connection, Rejection } from "./connection.js";
import { readInitialize, requireSession } from "./handshake.js";
import { isAllowedWhileDraining } from "./lifecycle.js";
import { parsedBytes, SMALL_REQUEST } from "./limits/kept-bytes.js";
import { type RateOptions, TokenBucket } from "./limits/quota.js";
import { stopBatchAfter } from "./limits/timeouts.js";
import { logRejectionToClient } from "./logging/client-log.js";
import { methodOf } from "./logging/rejection-log.js";
import type { Method } from "./method.js";
import { METHODS } from "./methods.js";
import type { ServerSettings } from "./options.js";
import { runRequest } from "./pipeline.js";
import { RequestContext } from "./request-context.js";
import { sizeError } from "./respond.js";
import type { Session } from "./session.js";
import type { ServerState } from "./state.js";

const REQUEST_ID: readonly string[] = ["params", "requestId"];

/**
 * Handles one message or batch of an open session, as a transport read it: parses it, finds the revision and the method, and passes requests to
 * the pipeline. `connection.respond` is called exactly once, now or later.
 */
export function dispatch(state: ServerState, text: string, connection: Connection): void {
  const { handshake, queued } = connection.session;
  if (handshake !== undefined) {
    if (queued.length >= state.settings.limits.callsQueued) {
      const error = limitExceeded("callsQueued", "too many messages wait for initialize");
      return rejectMessage(state, error, undefined, connection);
    }
    let release: (() => void) | undefined;
    try {
      if (text.length > SMALL_REQUEST) release = state.kept.hold(connection, text.length);
    } catch (error) {
      return rejectMessage(state, error, undefined, connection);
    }
    queued.push(text);
    handshake
      .then((isGone) => {
        queued.shift();
        release?.();
        if (isGone) connection.respond(undefined);
        else dispatch(state, text, connection);
      })
      .catch((error: unknown) => logError(state, error));
    return;
  }
  let value: Json;
  try {
    value = parseJson(text, MAX_MEMBERS);
  } catch (error) {
    return rejectMessage(state, error, undefined, connection);
  }
  if (Array.isArray(value)) dispatchBatch(state, value, text, connection);
  else dispatchValue(state, value, text, text.length, false, connection);
}

/** Members of all objects of a message from a client: arguments of 10 MB rarely have a tenth as many. */
const MAX_MEMBERS = 100_000;

/** Responds to what is not a valid message, such as a line over the size limit. */
export function rejectMessage(
  state: ServerState,
  error: unknown,
  value: Json | undefined,
  connection: Connection,
  requestId?: RequestId,
): void {
  const rpcError = toRpcError(state, error);
  if (connection.session.isClosed) return connection.respond(undefined);
  const revision = revisionOf(state, value, connection);
  const isNullKnown = revision === undefined && state.settings.revisions.some(({ unknownId }) => unknownId === null);
  const id = requestId ?? rpcError.id ?? (isNullKnown ? null : revision?.unknownId);
  const writer: Revision = revision ?? (state.settings.revisions[0] as Revision);
  const message = encodeError(id, writeError(state.settings, writer, rpcError, isObject(value) ? value : undefined));
  // Internal errors have been logged with their cause.
  if (error === rpcError) {
    const method = methodOf(value);
    const { principal } = connection;
    const rejection = { reason: rpcError.message, method, requestId: id ?? undefined };
    state.rejections.add({ ...rejection, principal });
    logRejectionToClient(state, connection, rejection);
  }
  state.recorder?.record("server", connection.session, message);
  connection.respond(message, { status: writer.httpStatus(rpcError), error: rpcError });
}

/** An unexpected error costs one message, never the connection. */
function toRpcError(state: ServerState, error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  logError(state, error);
  return internalError("Internal error: the details are in the server's log");
}

function logError(state: ServerState, error: unknown): void {
  state.settings.log({ level: "error", message: "cannot handle a message", error });
}

/** The revision of the client, as far as it is known without the message. */
function knownRevision({ settings }: ServerState, { session, headerValidation }: Connection): Revision | undefined {
  return (
    session.revision ?? session.lastStateless ?? session.assumed ?? headerValidation?.namedRevision(settings.revisions)
  );
}

function revisionOf(state: ServerState, value: Json | undefined, connection: Connection): Revision | undefined {
  const known = knownRevision(state, connection);
  if (!isObject(value)) return known;
  try {
    return selectRevision(value as unknown as JsonRpcRequest, known, state.settings.revisions);
  } catch {
    return state.settings.revisions[0];
  }
}

function dispatchBatch(state: ServerState, values: readonly Json[], text: string, connection: Connection): void {
  const { limits, revisions } = state.settings;
  const known = knownRevision(state, connection);
  const hasBatches = known
    ? known.batching
    : revisions.some(({ batching }) => batching) &&
      values.every((value) => revisionOf(state, value, connection)?.batching !== false);
  const error =
    batchError(state.settings, values.length, hasBatches) ?? connection.headerValidation?.versionError(revisions);
  if (error !== undefined) return rejectMessage(state, error, values[0], connection);
  const batch = createBatchConnection(connection, values.length, limits.messageBytes);
  let texts: readonly string[] | undefined;
  const textAt = (index: number): string => {
    texts ??= arrayElementTexts(text);
    return texts[index] as string;
  };
  const running: RequestContext[] = [];
  for (const [index, value] of values.entries()) {
    const length = text.length > SMALL_REQUEST ? textAt(index).length : 0;
    const ctx = dispatchValue(state, value, () => textAt(index), length, true, batch);
    if (ctx?.isDone === false) running.push(ctx);
  }
  if (running.length > 0) stopBatchAfter(running, limits.batchTimeoutMs);
}

/** Returns the context of a request that is being served or was served. */
function dispatchValue(
  state: ServerState,
  value: Json,
  source: SourceText,
  length: number,
  inBatch: boolean,
  connection: Connection,
): RequestContext | undefined {
  if (state.settings.snakeCase !== undefined) removeNullParams(value);
  let message: JsonRpcMessage;
  try {
    message = parseMessage(value, source);
  } catch (error) {
    rejectMessage(state, error, value, connection);
    return undefined;
  }
  if (message.method !== undefined && message.id !== undefined) {
    return length <= SMALL_REQUEST
      ? handleRequest(state, message, inBatch, connection)
      : handleLargeRequest(state, message, source, inBatch, connection);
  }
  handleOneWay(state, message, source, connection);
  return undefined;
}

/** Notifications and responses never get a response, not even if handling them fails: two peers could go on forever. */
function handleOneWay(
  state: ServerState,
  message: JsonRpcNotification | JsonRpcResponse,
  source: SourceText,
  connection: Connection,
): void {
  const error = connection.headerValidation?.oneWayError(message, state.settings.revisions);
  // Over HTTP the POST is answered with a status, and the error has no id.
  if (error !== undefined) return rejectMessage(state, error, undefined, connection);
  if (state.settings.missingId === "reject" && message.method !== undefined && isRequestMethod(state, message.method))
    return rejectMessage(
      state,
      invalidRequest(`"id" is missing: ${message.method} is a request`),
      undefined,
      connection,
    );
  try {
    if (message.method !== undefined) handleNotification(message, source, connection);
    else if (!connection.session.receiveResponse(message)) {
      state.settings.log({
        level: "debug",
        message: "ignored a response that matches no pending request",
        requestId: message.id,
      });
    }
  } catch (cause) {
    logError(state, cause);
  }
  connection.respond(undefined);
}

const isRequestMethod = ({ settings, registry }: ServerState, method: string): boolean =>
  settings.revisions.some((revision) => METHODS.get(revision.methods)?.has(method)) ||
  (settings.directToolMethods !== false && registry.tools.byName.get(method) !== undefined);

/** Unknown and malformed notifications are ignored. */
function handleNotification(
  { method, params }: JsonRpcNotification,
  source: SourceText,
  { session }: Connection,
): void {
  if (method === "notifications/initialized") session.markReady();
  if (method === "notifications/roots/list_changed") session.invalidateRoots();
  if (method !== "notifications/cancelled" || !isObject(params)) return;
  const id = params["requestId"];
  const exact = typeof id === "number" ? readExactInteger(id, source, REQUEST_ID) : id;
  const reason = typeof params["reason"] === "string" ? params["reason"] : "the client cancelled the request";
  session.active?.find(exact as RequestId)?.cancel(reason);
}

/** Counts what a large request takes in memory until it is answered. */
function handleLargeRequest(
  state: ServerState,
  request: JsonRpcRequest,
  source: SourceText,
  inBatch: boolean,
  connection: Connection,
): RequestContext | undefined {
  let release: () => void;
  try {
    release = state.kept.hold(connection, parsedBytes(typeof source === "string" ? source : source()));
  } catch (error) {
    rejectMessage(state, error, request as unknown as JsonObject, connection, request.id);
    return undefined;
  }
  const ctx = handleRequest(state, request, inBatch, connection);
  if (ctx === undefined || ctx.isDone) release();
  else ctx.onEnd(release);
  return ctx;
}

/** Throws `RpcError` if the session has sent too many requests. */
function countRequest(rate: RateOptions, session: Session): void {
  const bucket = (session.requests ??= new TokenBucket(rate));
  if (!bucket.tryTake()) throw tooManyRequests(rate.perSecond, bucket.waitMs(1));
}

/** Returns the context of a request that is being served or was served; undefined if it was rejected. */
function handleRequest(
  state: ServerState,
  request: JsonRpcRequest,
  inBatch: boolean,
  connection: Connection,
): RequestContext | undefined {
  const { settings } = state;
  const { session, headerValidation } = connection;
  let ctx: RequestContext;
  let method: Method | undefined;
  try {
    const selected =
      headerValidation === undefined
        ? selectRevision(request, session.revision, settings.revisions)
        : headerValidation.selectRevision(request, session.revision, settings.revisions);
    if (selected !== session.revision) session.lastStateless = selected;
    if (settings.requestRate !== undefined) countRequest(settings.requestRate, session);
    if (session.active !== undefined && session.active.size > 0 && session.active.has(request.id))
      throw invalidRequest("this id belongs to a request that is still being served", request.id);
    if (state.isDraining && !isAllowedWhileDraining(request.method)) throw shuttingDown();
    const { revision, caller } = negotiateRequest(state, request, selected, inBatch, connection);
    let effective = settings.directToolMethods ? directMethodToToolCall(state, revision, request) : request;
    headerValidation?.validate(state, revision, request, effective);
    const { toolSearch } = state.registry;
    if (toolSearch !== undefined && effective.method === "tools/call") effective = toolSearch.resolveCall(effective);
    method = METHODS.get(revision.methods)?.get(effective.method);
    if (method === undefined || method.isOffered?.(state) === false) {
      const isTool = state.registry.tools.byName.get(request.method) !== undefined;
      throw methodNotFound(
        request.method,
        isTool ? `"${request.method}" is a tool: call it with tools/call` : undefined,
      );
    }
    ctx = new RequestContext(state, connection, revision, effective, caller);
    ctx.isDirect = effective !== request && settings.directToolMethods === "bare" && request.method !== "tools/call";
  } catch (error) {
    rejectMessage(state, error, request as unknown as JsonObject, connection, request.id);
    return undefined;
  }
  runRequest(ctx, method);
  return ctx;
}

function negotiateRequest(
  state: ServerState,
  request: JsonRpcRequest,
  selected: Revision | undefined,
  inBatch: boolean,
  connection: Connection,
): { revision: Revision; caller: Caller } {
  const { session } = connection;
  const usesHandshake = selected === undefined || selected.handshake;
  if (usesHandshake && request.method === "initialize") {
    if (inBatch) throw invalidRequest("initialize cannot be part of a batch");
    return readInitialize(state, request, session);
  }
  const isReady = selected !== undefined && (!usesHandshake || (session.isReady && selected === session.revision));
  const revision = isReady ? selected : requireSession(state, request, session);
  if (inBatch && selected?.batching === false && state.settings.batch !== "always")
    throw invalidRequest(`revision ${revision.version} has no batches`);
  return { revision, caller: revision.readCaller(request, session.caller) };
}

/** Why a batch is rejected, or undefined. `hasBatches`: the revision of the client has batches. */
function batchError({ batch, limits }: ServerSettings, count: number, hasBatches: boolean): RpcError | undefined {
  const isAllowed = batch === "always" || (batch === "auto" && hasBatches);
  if (!isAllowed) return invalidRequest("batches are not part of this revision; send each message on its own");
  if (count === 0) return invalidRequest("the batch is empty");
  if (count <= limits.batchMessages) return undefined;
  return limitExceeded("batchMessages", `the batch has ${count} messages; the limit is ${limits.batchMessages}`);
}

/**
 * A connection for the messages of a batch. Once the last response is there, it sends them as one array, or one by one if that
 * would exceed the message limit.
 */
function createBatchConnection(connection: Connection, count: number, maxBytes: number): Connection {
  const responses: string[] = [];
  const rejections: Rejection[] = [];
  let pending = count;
  return {
    session: connection.session,
    transport: connection.transport,
    sessionId: connection.sessionId,
    principal: connection.principal,
    address: connection.address,
    scopes: connection.scopes,
    get headers() {
      return connection.headers;
    },
    toolFilter: connection.toolFilter,
    headerValidation: connection.headerValidation,
    get isBackpressured() {
      return connection.isBackpressured === true;
    },
    send: (message) => connection.send(message),
    onLongRunning: () => connection.onLongRunning?.(),
    respond(message, rejection) {
      if (message !== undefined) responses.push(message);
      if (rejection !== undefined) rejections.push(rejection);
      pending -= 1;
      if (pending > 0) return;
      const batch = `[${responses.join(",")}]`;
      if (responses.length > 0 && sizeError(batch, maxBytes) === undefined) {
        // If every message was rejected, the batch was.
        connection.respond(batch, rejections.length === responses.length ? rejections[0] : undefined);
        return;
      }
      for (const single of responses) connection.send(single);
      connection.respond(undefined);
    },
  };
}
