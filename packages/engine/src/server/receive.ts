import { encodeError, exactInteger, parse, readMessage } from "../jsonrpc/codec.js";
import { internalError, invalidParams, invalidRequest, limitExceeded, methodNotFound, RpcError } from "../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import type { Id, Notification, Request } from "../jsonrpc/messages.js";
import type { Caller } from "../protocol/caller.js";
import type { Revision } from "../revisions/revision.js";
import { selectRevision } from "../revisions/select.js";
import { sizeFault } from "./answer-size.js";
import type { Core } from "./core.js";
import { Exchange } from "./exchange.js";
import { readInitialize, requireSession } from "./handshake.js";
import type { Link } from "./link.js";
import { findMethod } from "./methods/table.js";

/** Where a value stands in the text it was read from: empty, or the place in a batch. */
type Place = readonly number[];
const ALONE: Place = [];

/** Serves one message, or one batch of them, as a transport read it. `link.answer` is called once, now or later. */
export function receive(core: Core, text: string, link: Link): void {
  let value: Json;
  try {
    value = parse(text);
  } catch (error) {
    refuse(core, error, undefined, link);
    return;
  }
  if (Array.isArray(value)) receiveBatch(core, value, text, link);
  else receiveValue(core, value, text, ALONE, link);
}

/** Answers what could not be read as a message at all, such as a line over the limit. */
export function refuse(core: Core, error: unknown, value: Json | undefined, link: Link): void {
  const known = error instanceof RpcError ? error : unexpected(core, error);
  const revision = revisionOf(core, value, link);
  const id = known.id ?? (revision === undefined ? null : revision.unreadableId);
  const { code, message, data } = known;
  link.answer(encodeError(id, revision?.writeError(known) ?? { code, message, ...(data && { data }) }));
}

/** A fault of ours costs one message, never the connection. */
function unexpected(core: Core, error: unknown): RpcError {
  core.settings.log({ level: "error", message: "a message could not be served", error });
  return internalError("Internal error: the details are in the server's log");
}

function revisionOf(core: Core, value: Json | undefined, link: Link): Revision | undefined {
  const agreed = link.session.revision ?? link.session.heard;
  if (!isObject(value)) return agreed;
  try {
    return selectRevision(value as unknown as Request, agreed, core.settings.revisions);
  } catch {
    return core.settings.revisions[0];
  }
}

function receiveBatch(core: Core, values: readonly Json[], text: string, link: Link): void {
  const { batch, limits, revisions } = core.settings;
  const agreed = link.session.revision ?? link.session.heard;
  const mayHaveBatches = agreed
    ? agreed.batching
    : revisions.some(({ batching }) => batching) &&
      values.every((value) => revisionOf(core, value, link)?.batching !== false);
  const isServed = batch === "always" || (batch === "auto" && mayHaveBatches);
  const refusal = !isServed
    ? invalidRequest("batches are not part of this revision; send each message on its own")
    : values.length === 0
      ? invalidRequest("the batch is empty")
      : values.length > limits.batchMessages
        ? limitExceeded(
            "batchMessages",
            `the batch has ${values.length} messages; the limit is ${limits.batchMessages}`,
          )
        : undefined;
  if (refusal !== undefined) {
    refuse(core, refusal, values[0], link);
    return;
  }
  const answers: string[] = [];
  let open = values.length;
  const answer = (message: string | undefined): void => {
    if (message !== undefined) answers.push(message);
    open -= 1;
    if (open === 0) answerBatch(answers, limits.messageBytes, link);
  };
  const inner: Link = {
    session: link.session,
    principal: link.principal,
    send: (message) => link.send(message),
    answer,
  };
  for (const [at, value] of values.entries()) receiveValue(core, value, text, [at], inner);
}

/** Answers to a batch leave as one array, or one by one where that would be over the limit. */
function answerBatch(answers: readonly string[], mostBytes: number, link: Link): void {
  const batch = `[${answers.join(",")}]`;
  if (answers.length === 0) link.answer(undefined);
  else if (sizeFault(batch, mostBytes) === undefined) link.answer(batch);
  else {
    for (const message of answers) link.send(message);
    link.answer(undefined);
  }
}

function receiveValue(core: Core, value: Json, text: string, place: Place, link: Link): void {
  try {
    const message = readMessage(value, text, place);
    if (message.method === undefined) {
      if (!link.session.receiveResponse(message)) {
        core.settings.log({
          level: "debug",
          message: "passed over an answer to no question of ours",
          requestId: message.id,
        });
      }
      link.answer(undefined);
    } else if (message.id === undefined) {
      receiveNotification(message, text, place, link);
      link.answer(undefined);
    } else {
      receiveRequest(core, message, place, link);
    }
  } catch (error) {
    refuse(core, error, value, link);
  }
}

/** Unknown and malformed notifications are passed over: a notification never gets an answer. */
function receiveNotification({ method, params }: Notification, text: string, place: Place, { session }: Link): void {
  if (method === "notifications/initialized") session.becomeReady();
  if (method !== "notifications/cancelled" || !isObject(params)) return;
  const id = params["requestId"];
  const exact = typeof id === "number" ? exactInteger(id, text, [...place, "params", "requestId"]) : id;
  const reason = typeof params["reason"] === "string" ? params["reason"] : "the client cancelled the request";
  session.running.find(exact as Id)?.cancel(reason);
}

function receiveRequest(core: Core, request: Request, place: Place, link: Link): void {
  const { settings } = core;
  const { session } = link;
  try {
    const selected = selectRevision(request, session.revision, settings.revisions);
    if (selected !== session.revision) session.heard = selected;
    if (session.running.has(request.id))
      throw invalidRequest("this id belongs to a request that is still being served", request.id);
    const { revision, caller } = admit(core, request, selected, place, link);
    const served = settings.directToolMethods ? asToolCall(core, revision, request) : request;
    const method = findMethod(revision, served.method);
    if (method === undefined || method.isOffered?.(core) === false)
      throw methodNotFound(request.method, hintFor(core, request.method));
    const exchange = new Exchange(core, link, revision, served, caller);
    try {
      const outcome = method.run(exchange);
      if (outcome !== undefined) exchange.settle(outcome);
    } catch (error) {
      exchange.fail(error);
    }
  } catch (error) {
    const known = error instanceof RpcError ? new RpcError(error.code, error.message, error.data, request.id) : error;
    refuse(core, known, request as unknown as JsonObject, link);
  }
}

function admit(
  core: Core,
  request: Request,
  selected: Revision | undefined,
  place: Place,
  link: Link,
): { revision: Revision; caller: Caller } {
  const { session } = link;
  const isHandshakeEra = selected === undefined || selected.handshake;
  if (isHandshakeEra && request.method === "initialize") {
    if (place.length > 0) throw invalidRequest("initialize cannot stand in a batch");
    return readInitialize(core, request, session);
  }
  if (selected === undefined && request.method === "server/discover" && !core.settings.revisions[0]?.handshake) {
    throw invalidParams(
      "Invalid params: server/discover needs params._meta with the protocol version and the client's capabilities",
    );
  }
  const revision = isHandshakeEra ? requireSession(core, request, session) : selected;
  if (place.length > 0 && selected?.batching === false && core.settings.batch !== "always")
    throw invalidRequest(`revision ${revision.version} has no batches`);
  return { revision, caller: revision.readCaller(request, session.caller) };
}

/** A method named like a tool, served as a call of it. */
function asToolCall(core: Core, revision: Revision, request: Request): Request {
  if (findMethod(revision, request.method) !== undefined || core.registry.find(request.method) === undefined)
    return request;
  const { _meta, ...rest } = request.params ?? {};
  const params: JsonObject = { name: request.method, arguments: rest, ...(_meta !== undefined && { _meta }) };
  return { ...request, method: "tools/call", params };
}

function hintFor(core: Core, method: string): string | undefined {
  return core.registry.find(method) && `"${method}" is a tool: call it with tools/call`;
}
