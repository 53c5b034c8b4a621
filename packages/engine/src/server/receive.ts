import { encodeError, exactInteger, parse, readMessage, type Source } from "../jsonrpc/codec.js";
import { elementTexts } from "../jsonrpc/elements.js";
import { internalError, invalidRequest, limitExceeded, methodNotFound, RpcError, stopping } from "../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import type { Id, Message, Notification, Request, Response } from "../jsonrpc/messages.js";
import type { Caller } from "../protocol/caller.js";
import type { Revision } from "../revisions/revision.js";
import { selectRevision } from "../revisions/select.js";
import { bytesOf, writeOutcome } from "./answer.js";
import { batchFault, createBatchLink } from "./batch.js";
import type { Core } from "./core.js";
import { asToolCall } from "./direct-call.js";
import { isServedToTheEnd } from "./draining.js";
import { Exchange } from "./exchange.js";
import { readInitialize, requireSession } from "./handshake.js";
import type { Layer } from "./layers/layer.js";
import { passLayers } from "./layers/pass.js";
import type { Link } from "./link.js";
import type { Method, QuickMethod } from "./methods/method.js";
import { findMethod } from "./methods/table.js";

const REQUEST_ID: readonly string[] = ["params", "requestId"];

/**
 * Serves one message, or one batch of them, as a transport read it. `link.answer` is called once, now or later; a session that
 * has ended gets nothing more.
 */
export function receive(core: Core, text: string, link: Link): void {
  core.recorder?.received(link.session, text);
  if (link.session.isClosed) link.answer(undefined);
  else receiveText(core, text, link);
}

function receiveText(core: Core, text: string, link: Link): void {
  const { handshake, waiting } = link.session;
  if (handshake !== undefined) {
    if (waiting.length >= core.settings.limits.callsQueued)
      return refuse(core, limitExceeded("callsQueued", "too many messages wait for initialize"), undefined, link);
    waiting.push(text);
    handshake
      .then((isGone) => {
        waiting.shift();
        if (isGone) link.answer(undefined);
        else receiveText(core, text, link);
      })
      .catch((error: unknown) => logFault(core, error));
    return;
  }
  let value: Json;
  try {
    value = parse(text);
  } catch (error) {
    refuse(core, error, undefined, link);
    return;
  }
  if (Array.isArray(value)) receiveBatch(core, value, text, link);
  else receiveValue(core, value, text, false, link);
}

/** Answers what could not be read as a message at all, such as a line over the limit. */
export function refuse(core: Core, error: unknown, value: Json | undefined, link: Link, requestId?: Id): void {
  const known = toRpcError(core, error);
  if (link.session.isClosed) {
    link.answer(undefined);
    return;
  }
  const revision = revisionOf(core, value, link);
  const id = requestId ?? known.id ?? (revision === undefined ? null : revision.unreadableId);
  const writer: Revision = revision ?? (core.settings.revisions[0] as Revision);
  const answer = encodeError(id, writer.writeError(known));
  core.recorder?.sent(link.session, answer);
  link.answer(answer, { status: writer.statusOf(known), error: known });
}

/** A fault of ours costs one message, never the connection. */
function toRpcError(core: Core, error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  logFault(core, error);
  return internalError("Internal error: the details are in the server's log");
}

function logFault(core: Core, error: unknown): void {
  core.settings.log({ level: "error", message: "a message could not be served", error });
}

/** What the far end speaks, as far as it can be known without the message itself. */
function spokenBy({ settings }: Core, { session, claims }: Link): Revision | undefined {
  return session.revision ?? session.heard ?? session.assumed ?? claims?.named(settings.revisions);
}

function revisionOf(core: Core, value: Json | undefined, link: Link): Revision | undefined {
  const spoken = spokenBy(core, link);
  if (!isObject(value)) return spoken;
  try {
    return selectRevision(value as unknown as Request, spoken, core.settings.revisions);
  } catch {
    return core.settings.revisions[0];
  }
}

function receiveBatch(core: Core, values: readonly Json[], text: string, link: Link): void {
  const { limits, revisions } = core.settings;
  const spoken = spokenBy(core, link);
  const isKnown = spoken
    ? spoken.batching
    : revisions.some(({ batching }) => batching) &&
      values.every((value) => revisionOf(core, value, link)?.batching !== false);
  const fault = batchFault(core.settings, values.length, isKnown) ?? link.claims?.versionFault(revisions);
  if (fault === undefined) receiveEach(core, values, text, createBatchLink(link, values.length, limits.messageBytes));
  else refuse(core, fault, values[0], link);
}

/** On its own, so that the link of a call that goes on does not hold the text of its batch. */
function receiveEach(core: Core, values: readonly Json[], text: string, link: Link): void {
  let texts: readonly string[] | undefined;
  const textAt = (at: number): string => {
    texts ??= elementTexts(text);
    return texts[at] as string;
  };
  for (const [at, value] of values.entries()) receiveValue(core, value, () => textAt(at), true, link);
}

function receiveValue(core: Core, value: Json, source: Source, inBatch: boolean, link: Link): void {
  let message: Message;
  try {
    message = readMessage(value, source);
  } catch (error) {
    refuse(core, error, value, link);
    return;
  }
  if (message.method !== undefined && message.id !== undefined) receiveRequest(core, message, inBatch, link);
  else receiveUnanswered(core, message, source, link);
}

/** Notifications and answers never get an answer, not even where serving them fails: two ends could go on so for ever. */
function receiveUnanswered(core: Core, message: Notification | Response, source: Source, link: Link): void {
  const refusal = link.claims?.refusal(message, core.settings.revisions);
  // Over HTTP the request that brought it is answered, under a status that says so and without an id.
  if (refusal !== undefined) return refuse(core, refusal, undefined, link);
  try {
    if (message.method !== undefined) receiveNotification(message, source, link);
    else if (!link.session.receiveResponse(message)) {
      core.settings.log({
        level: "debug",
        message: "passed over an answer to no question of ours",
        requestId: message.id,
      });
    }
  } catch (error) {
    logFault(core, error);
  }
  link.answer(undefined);
}

/** Unknown and malformed notifications are passed over. */
function receiveNotification({ method, params }: Notification, source: Source, { session }: Link): void {
  if (method === "notifications/initialized") session.becomeReady();
  if (method === "notifications/roots/list_changed") session.dropRoots();
  if (method !== "notifications/cancelled" || !isObject(params)) return;
  const id = params["requestId"];
  const exact = typeof id === "number" ? exactInteger(id, source, REQUEST_ID) : id;
  const reason = typeof params["reason"] === "string" ? params["reason"] : "the client cancelled the request";
  session.running.find(exact as Id)?.cancel(reason);
}

function receiveRequest(core: Core, request: Request, inBatch: boolean, link: Link): void {
  const { settings } = core;
  const { session } = link;
  let answer: string | undefined;
  let bytes: number | undefined;
  try {
    const { claims } = link;
    const selected =
      claims === undefined
        ? selectRevision(request, session.revision, settings.revisions)
        : claims.select(request, session.revision, settings.revisions);
    if (selected !== session.revision) session.heard = selected;
    if (session.running.has(request.id))
      throw invalidRequest("this id belongs to a request that is still being served", request.id);
    if (core.isDraining && !isServedToTheEnd(request.method)) throw stopping();
    const { revision, caller } = admit(core, request, selected, inBatch, link);
    let served = settings.directToolMethods ? asToolCall(core, revision, request) : request;
    claims?.check(core, revision, request, served);
    const { front } = core.registry;
    if (front !== undefined && served.method === "tools/call") served = front.redirect(served);
    const method = findMethod(revision, served.method);
    if (method === undefined || method.isOffered?.(core) === false)
      throw methodNotFound(request.method, hintFor(core, request.method));
    if (core.layers !== undefined) pass(core.layers, method, new Exchange(core, link, revision, served, caller));
    else if (method.run === undefined) {
      const asked = { core, link, revision, request: served, caller };
      const outcome = method.answer(asked);
      if (outcome instanceof Promise) new Exchange(core, link, revision, served, caller).settle(outcome);
      else {
        answer = writeOutcome(asked, outcome, false);
        bytes = bytesOf(asked, outcome, answer);
      }
    } else run(method, new Exchange(core, link, revision, served, caller));
  } catch (error) {
    refuse(core, error, request as unknown as JsonObject, link, request.id);
    return;
  }
  // Out here, because what a transport throws is no reason to answer once more.
  if (answer === undefined) return;
  core.recorder?.sent(session, answer);
  link.answer(answer, undefined, bytes);
}

/** Serves inside the layers of the author; few servers have any. */
function pass(layers: readonly Layer[], method: Method | QuickMethod, exchange: Exchange): void {
  passLayers(layers, exchange, () => run(method, exchange));
}

function run(method: Method | QuickMethod, exchange: Exchange): void {
  try {
    const outcome = method.run === undefined ? method.answer(exchange) : method.run(exchange);
    if (outcome !== undefined) exchange.settle(outcome);
  } catch (error) {
    exchange.fail(error);
  }
}

function admit(
  core: Core,
  request: Request,
  selected: Revision | undefined,
  inBatch: boolean,
  link: Link,
): { revision: Revision; caller: Caller } {
  const { session } = link;
  const isHandshakeEra = selected === undefined || selected.handshake;
  if (isHandshakeEra && request.method === "initialize") {
    if (inBatch) throw invalidRequest("initialize cannot stand in a batch");
    return readInitialize(core, request, session);
  }
  const revision = isHandshakeEra ? requireSession(core, request, session) : selected;
  if (inBatch && selected?.batching === false && core.settings.batch !== "always")
    throw invalidRequest(`revision ${revision.version} has no batches`);
  return { revision, caller: revision.readCaller(request, session.caller) };
}

function hintFor(core: Core, method: string): string | undefined {
  return core.registry.tools.find(method) && `"${method}" is a tool: call it with tools/call`;
}
