import { isObject, type Json, type JsonObject, omit } from "../../jsonrpc/messages.js";
import {
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  LOG_LEVEL_KEY,
  PROTOCOL_VERSION_KEY,
} from "../../revisions/meta-keys.js";
import { objectOrEmpty, stringOr } from "../errors.js";
import type { RecordedFrame } from "./recording.js";

/** The response to a request. */
export type Outcome = { readonly result: JsonObject } | { readonly error: JsonObject };

/** Input that the server requested, and the client's response. */
export interface RecordedInputRequest {
  readonly name: string;
  readonly method: string;
  readonly params: JsonObject;
  /** Undefined if the client never responded. */
  response: Outcome | undefined;
  /** Set once the replay has used the response. */
  isUsed: boolean;
}

/** A request with all that belongs to it: the rounds of input, the task that it became, and its response. */
export interface RecordedRequest {
  readonly conversation: RecordedConversation;
  readonly session: number;
  readonly method: string;
  /** The tool, prompt or URI that it names. */
  readonly name: string | undefined;
  /** Without what belongs to a revision or to a round of input. */
  readonly params: JsonObject;
  readonly inputRequests: RecordedInputRequest[];
  /** Undefined if there was no response, for example because the request was cancelled. */
  outcome: Outcome | "truncated" | undefined;
  /** Whether it became a task. */
  isTask: boolean;
}

/** All requests of one client. */
export interface RecordedConversation {
  /** The protocol revision; undefined if the recording lacks the beginning. */
  revision: string | undefined;
  /** The client's capabilities; undefined if the recording lacks the beginning. */
  readonly capabilities: JsonObject | undefined;
  readonly info: JsonObject | undefined;
  readonly requests: RecordedRequest[];
}

/** Returns the requests of a recording, or of one session of it, in order. */
export function readRequests(frames: readonly RecordedFrame[], session?: number): readonly RecordedRequest[] {
  const reader = new RequestReader();
  for (const frame of frames) if (session === undefined || frame.session === session) reader.addFrame(frame);
  return reader.requests;
}

/** What is known about one connection so far. */
interface ConnectionState {
  /** Requests whose response is outstanding, newest last. `tasks/*` requests are about the task that a request became. */
  readonly pending: Map<Json, { readonly request: RecordedRequest; readonly taskMethod?: string | undefined }>;
  readonly inputRequests: Map<Json, RecordedInputRequest>;
}

/** Reads frames one after the other, and finds out which belong together. */
class RequestReader {
  readonly requests: RecordedRequest[] = [];
  readonly #conversations = new Map<string, RecordedConversation>();
  readonly #connections = new Map<string, ConnectionState>();
  /** Requests by the `requestState` of their last round, and by their task. */
  readonly #byRequestState = new Map<Json | undefined, RecordedRequest>();
  readonly #byTaskId = new Map<Json | undefined, RecordedRequest>();

  addFrame(frame: RecordedFrame): void {
    const { connectionKey, message, from } = frame;
    const connection = this.#connections.get(connectionKey) ?? { pending: new Map(), inputRequests: new Map() };
    this.#connections.set(connectionKey, connection);
    const { id = null, method } = message;
    if (typeof method !== "string") {
      if (from === "server") this.#addServerResponse(connection, message);
      else addResponse(connection.inputRequests.get(id), message);
    } else if (message["id"] === undefined) return;
    else if (from === "client") this.#addClientRequest(frame, connection, method);
    else addServerRequest(connection, message);
  }

  #addClientRequest({ connectionKey, session, message }: RecordedFrame, { pending }: ConnectionState, method: string) {
    const { id = null } = message;
    const params = objectOrEmpty(message["params"]);
    const task = method.startsWith("tasks/") ? this.#byTaskId.get(params["taskId"]) : undefined;
    const known = task ?? this.#byRequestState.get(params["requestState"]);
    if (known) {
      for (const [name, result] of objectEntries(params["inputResponses"]))
        addResponse(
          known.inputRequests.findLast((candidate) => candidate.name === name),
          { result },
        );
      pending.set(id, { request: known, taskMethod: task && method });
      return;
    }
    const conversation = this.#conversationOf(connectionKey, method, params);
    const request = toRecordedRequest(conversation, session, method, params);
    pending.set(id, { request });
    this.requests.push(request);
    conversation.requests.push(request);
  }

  #addServerResponse(connection: ConnectionState, { id = null, result, error, truncated }: JsonObject): void {
    const { request, taskMethod } = connection.pending.get(id) ?? {};
    connection.pending.delete(id);
    if (request === undefined || taskMethod === "tasks/update" || taskMethod === "tasks/cancel") return;
    if (truncated === true) request.outcome ??= "truncated";
    else if (isObject(error)) complete(request, { error });
    else if (!isObject(result)) return;
    else if (taskMethod === "tasks/get") addTaskState(request, result);
    else if (result["resultType"] === "input_required") {
      addInputRequests(request, result["inputRequests"]);
      if (typeof result["requestState"] === "string") this.#byRequestState.set(result["requestState"], request);
    } else {
      const task = result["resultType"] === "task" ? result : result["task"];
      if (request.method === "tools/call" && isObject(task) && typeof task["taskId"] === "string") {
        request.isTask = true;
        this.#byTaskId.set(task["taskId"], request);
      } else complete(request, { result });
    }
  }

  /** Stateless requests of the same client are one conversation, over however many connections. */
  #conversationOf(connectionKey: string, method: string, params: JsonObject): RecordedConversation {
    const meta = objectOrEmpty(params["_meta"]);
    const version = meta[PROTOCOL_VERSION_KEY];
    const isStateless = typeof version === "string";
    const initialize = method === "initialize" ? params : {};
    const capabilities = isStateless ? meta[CLIENT_CAPABILITIES_KEY] : initialize["capabilities"];
    const info = isStateless ? meta[CLIENT_INFO_KEY] : initialize["clientInfo"];
    const key = isStateless ? JSON.stringify([version, capabilities, info]) : connectionKey;
    const conversation = this.#conversations.get(key) ?? {
      revision: isStateless ? version : undefined,
      capabilities: isObject(capabilities) ? capabilities : undefined,
      info: isObject(info) ? info : undefined,
      requests: [],
    };
    this.#conversations.set(key, conversation);
    return conversation;
  }
}

/** The `_meta` members that the client of the replay sets itself. */
const CLIENT_META_KEYS = [
  PROTOCOL_VERSION_KEY,
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  LOG_LEVEL_KEY,
  "progressToken",
];

function toRecordedRequest(
  conversation: RecordedConversation,
  session: number,
  method: string,
  params: JsonObject,
): RecordedRequest {
  const meta = omit(objectOrEmpty(params["_meta"]), ...CLIENT_META_KEYS);
  const plain = omit(params, "_meta", "inputResponses", "requestState");
  const name = plain[method === "tools/call" || method === "prompts/get" ? "name" : "uri"];
  return {
    conversation,
    session,
    method,
    name: typeof name === "string" ? name : undefined,
    params: { ...plain, ...(Object.keys(meta).length > 0 && { _meta: meta }) },
    inputRequests: [],
    outcome: undefined,
    isTask: plain["task"] !== undefined,
  };
}

function complete(request: RecordedRequest, outcome: Outcome): void {
  request.outcome ??= outcome;
  if (request.method === "initialize" && "result" in outcome)
    request.conversation.revision ??= stringOr(outcome.result["protocolVersion"]);
}

/** Only the final state of a task matters: it has the result of the call. */
function addTaskState(request: RecordedRequest, { status, result, error, inputRequests }: JsonObject): void {
  addInputRequests(request, inputRequests);
  if (status === "completed" && isObject(result)) complete(request, { result });
  else if (isObject(error)) complete(request, { error });
}

function addServerRequest({ pending, inputRequests }: ConnectionState, message: JsonObject): void {
  if (message["method"] === "ping") return;
  const meta = objectOrEmpty(objectOrEmpty(message["params"])["_meta"]);
  const inputRequest = toInputRequest(stringOr(meta["toolwright/inputRequest"]), message);
  inputRequests.set(message["id"] ?? null, inputRequest);
  // Nothing says which request it belongs to; the newest is the most likely.
  [...pending.values()].at(-1)?.request.inputRequests.push(inputRequest);
}

function addResponse(inputRequest: RecordedInputRequest | undefined, { result, error }: JsonObject): void {
  if (inputRequest && isObject(result)) inputRequest.response = { result };
  else if (inputRequest && isObject(error)) inputRequest.response = { error };
}

/** Adds the input requests of a round, or those of a task, which lists them in every state. */
function addInputRequests({ inputRequests }: RecordedRequest, added: Json | undefined): void {
  for (const [name, value] of objectEntries(added)) {
    const inputRequest = toInputRequest(name, value);
    const key = JSON.stringify(inputRequest.params);
    if (!inputRequests.some((existing) => existing.name === name && JSON.stringify(existing.params) === key))
      inputRequests.push(inputRequest);
  }
}

const toInputRequest = (name: string, request: JsonObject): RecordedInputRequest => ({
  name,
  method: stringOr(request["method"]),
  params: objectOrEmpty(request["params"]),
  response: undefined,
  isUsed: false,
});

/** Returns the members of an object that are objects. */
function objectEntries(value: Json | undefined): [string, JsonObject][] {
  return Object.entries(objectOrEmpty(value)).filter((entry): entry is [string, JsonObject] => isObject(entry[1]));
}
