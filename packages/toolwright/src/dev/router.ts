import { internalError, type Json, type JsonObject } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import type { ListChange } from "./lists.js";
import {
  amendAcknowledgement,
  amendAnswer,
  emptyList,
  isRequest,
  keyOf,
  metaOf,
  methodOf,
  paramsOf,
  readLine,
  SUBSCRIPTION,
  textIn,
  VERSION,
} from "./messages.js";
import type { ServerProcess } from "./server-process.js";

/** A `subscriptions/listen` request. */
interface Subscription {
  readonly request: JsonObject;
  /** Whether it was acknowledged. */
  isAcknowledged: boolean;
}

/** What the client has sent only once, and the next process must know. */
export class ClientState {
  /** The parameters of the handshake. */
  initialize: JsonObject | undefined;
  /** The negotiated version. */
  negotiatedVersion: string | undefined;
  isInitialized = false;
  /** The `_meta` of the requests of a stateless client. */
  meta: JsonObject | undefined;
  readonly subscriptions = new Map<string, Subscription>();
  readonly #watched = new Set<string>();
  #level: JsonObject | undefined;

  /** Remembers what the next process needs. */
  receive(message: JsonObject): void {
    const params = paramsOf(message);
    const uri = textIn(params, "uri");
    const method = methodOf(message);
    if (method === "notifications/initialized") this.isInitialized = true;
    else if (method === "logging/setLevel") this.#level = params;
    else if (method === "resources/subscribe") this.#watched.add(uri);
    else if (method === "resources/unsubscribe") this.#watched.delete(uri);
    else if (method === "subscriptions/listen")
      this.subscriptions.set(keyOf(message["id"]), { request: message, isAcknowledged: false });
    const meta = metaOf(message);
    if (typeof meta[VERSION] === "string")
      this.meta = Object.fromEntries(
        Object.entries(meta).filter(([name]) => name.startsWith("io.modelcontextprotocol/")),
      );
  }

  /** The handshake has succeeded. */
  agree(params: JsonObject, result: JsonObject): void {
    this.initialize = params;
    this.negotiatedVersion = textIn(result, "protocolVersion");
  }

  /** The requests to repeat after the handshake. */
  get replayedRequests(): readonly { readonly method: string; readonly params: JsonObject }[] {
    return [
      ...(this.#level ? [{ method: "logging/setLevel", params: this.#level }] : []),
      ...[...this.#watched].map((uri) => ({ method: "resources/subscribe", params: { uri } })),
    ];
  }

  /** The subscriptions to the changes of a list. */
  listenersOf(list: string): readonly JsonObject[] {
    const requests = [...this.subscriptions.values()].map(({ request }) => request);
    return requests.filter((request) => {
      const wanted = paramsOf(request)["notifications"];
      return isObject(wanted) && wanted[`${list}ListChanged`] === true;
    });
  }
}

interface ServerRequest {
  readonly code: ServerProcess;
  /** The id that the process used. */
  readonly id: Json;
  readonly token: Json | undefined;
}

/** Requests of processes to the client. Two processes may use the same ids, so they are replaced. */
class ServerRequests {
  readonly #open = new Map<number, ServerRequest>();
  #number = 0;

  /** The request with its new id. */
  ask(code: ServerProcess, request: JsonObject): JsonObject {
    this.#number += 1;
    const { progressToken: token } = metaOf(request);
    this.#open.set(this.#number, { code, id: request["id"] ?? null, token });
    if (token === undefined) return { ...request, id: this.#number };
    const params = { ...paramsOf(request), _meta: { ...metaOf(request), progressToken: this.#number } };
    return { ...request, id: this.#number, params };
  }

  /** Sends a response to the process that sent the request. */
  answer(answer: JsonObject): void {
    const question = this.#take(answer["id"]);
    question?.code.send(JSON.stringify({ ...answer, id: question.id }));
  }

  /** Sends progress to the process that sent the request; false if there is none. */
  progress(message: JsonObject): boolean {
    const params = paramsOf(message);
    const question = this.#open.get(Number(params["progressToken"]));
    if (question?.token === undefined) return false;
    question.code.send(JSON.stringify({ ...message, params: { ...params, progressToken: question.token } }));
    return true;
  }

  /** The cancellation with the new id; undefined if there is no such request. */
  cancel(code: ServerProcess, message: JsonObject): JsonObject | undefined {
    const params = paramsOf(message);
    const found = [...this.#open].find(
      ([, question]) => question.code === code && keyOf(question.id) === keyOf(params["requestId"]),
    );
    if (found === undefined) return undefined;
    this.#open.delete(found[0]);
    return { ...message, params: { ...params, requestId: found[0] } };
  }

  /** Removes the requests of a process, and returns their ids. */
  forget(code: ServerProcess): readonly number[] {
    const ids = [...this.#open].filter(([, question]) => question.code === code).map(([id]) => id);
    for (const id of ids) this.#open.delete(id);
    return ids;
  }

  #take(id: Json | undefined): ServerRequest | undefined {
    const question = typeof id === "number" ? this.#open.get(id) : undefined;
    if (question) this.#open.delete(id as number);
    return question;
  }
}

/** Messages that wait for a process. */
interface PendingMessages {
  readonly messages: readonly JsonObject[];
  readonly text: string;
}

/** The output of a router. */
interface RouterOutput {
  /** Sends a message to the client. */
  send(text: string): void;
  /** Reports a line on stdout that is not a message. */
  onInvalidLine(line: string): void;
}

/** Routes messages between one client and the current process. The process that received a request responds to it. */
export class MessageRouter {
  readonly memory = new ClientState();
  readonly #output: RouterOutput;
  readonly #serverRequests = new ServerRequests();
  readonly #waiting: PendingMessages[] = [];
  readonly #draining = new Set<ServerProcess>();
  #current: ServerProcess | undefined;
  #refusal: string | undefined;

  constructor(lines: RouterOutput) {
    this.#output = lines;
  }

  get current(): ServerProcess | undefined {
    return this.#current;
  }

  /** Receives a line from the client. */
  receiveFromClient(text: string): void {
    const line = readLine(text);
    if (line === undefined) return this.#current?.send(text);
    const left = line.messages.filter((message) => !this.#routes(message));
    if (left.length === 0) return;
    const isWhole = left.length === line.messages.length;
    this.#deliver({ messages: left, text: isWhole ? text : JSON.stringify(left) });
  }

  /** Receives a line from a process. */
  receiveFromProcess(code: ServerProcess, text: string): void {
    const line = readLine(text);
    if (line === undefined) return this.#output.onInvalidLine(text);
    const translated = line.messages.flatMap((message) => this.#translate(code, message) ?? []);
    if (translated.length > 0) {
      const isSame =
        translated.length === line.messages.length && translated.every((one, at) => one === line.messages[at]);
      this.#output.send(isSame ? text : JSON.stringify(line.isBatch ? translated : translated[0]));
    }
    this.#release(code);
  }

  /** Makes a process the current one; the previous one finishes its requests. */
  take(code: ServerProcess, changes: readonly ListChange[]): void {
    const before = this.#current;
    this.#current = code;
    this.#refusal = undefined;
    // A process that rejects a log level or a subscription can serve anyway.
    for (const { method, params } of this.memory.replayedRequests) void code.ask(method, params).catch(() => undefined);
    for (const [key, { request }] of this.memory.subscriptions) {
      before?.asked.delete(key);
      this.#give(code, { messages: [request], text: JSON.stringify(request) });
    }
    this.#announce(changes);
    for (const delivery of this.#waiting.splice(0)) this.#deliver(delivery);
    if (before === undefined) return;
    this.#draining.add(before);
    this.#release(before);
  }

  /** Rejects requests with a reason, because no process can start. */
  refuse(reason: string): void {
    this.#refusal = reason;
    for (const delivery of this.#waiting.splice(0)) this.#deliver(delivery);
  }

  /** Lets requests wait for the next process. */
  wait(): void {
    this.#refusal = undefined;
  }

  /** Rejects the pending requests of a process that has exited or exceeded its time. */
  settle(code: ServerProcess, reason: string): void {
    this.#draining.delete(code);
    if (code === this.#current) this.#current = undefined;
    for (const [key, { request, isCancelled }] of code.asked)
      if (!isCancelled && !this.memory.subscriptions.has(key)) this.#fail(request, reason);
    code.asked.clear();
    code.states.clear();
    for (const requestId of this.#serverRequests.forget(code))
      this.#notify("notifications/cancelled", { requestId, reason: "The process that sent the request has exited" });
  }

  /** Routes what belongs to a certain process. Returns whether it did. */
  #routes(message: JsonObject): boolean {
    const method = methodOf(message);
    if (method === undefined) this.#serverRequests.answer(message);
    else if (method === "notifications/cancelled") this.#cancel(message);
    else if (method === "notifications/progress") return this.#serverRequests.progress(message);
    else return isRequest(message) && this.#routesRequest(message);
    return true;
  }

  #routesRequest(message: JsonObject): boolean {
    const state = paramsOf(message)["requestState"];
    const codes = [this.#current, ...this.#draining].filter((code) => code !== undefined);
    const origin = typeof state === "string" ? codes.find((code) => code.states.delete(state)) : undefined;
    if (origin && origin !== this.#current) {
      this.#give(origin, { messages: [message], text: JSON.stringify(message) });
      return true;
    }
    const empty = emptyList(message, this.#current?.capabilities);
    if (empty) this.#output.send(JSON.stringify(empty));
    return empty !== undefined;
  }

  #cancel(message: JsonObject): void {
    const key = keyOf(paramsOf(message)["requestId"]);
    this.memory.subscriptions.delete(key);
    const isMeant = (each: JsonObject): boolean => isRequest(each) && keyOf(each["id"]) === key;
    const unsent = this.#waiting.findIndex(({ messages }) => messages.length === 1 && messages.every(isMeant));
    if (unsent !== -1) this.#waiting.splice(unsent, 1);
    for (const code of [this.#current, ...this.#draining]) {
      const asked = code?.asked.get(key);
      if (code === undefined || asked === undefined) continue;
      asked.isCancelled = true;
      code.send(JSON.stringify(message));
      this.#release(code);
    }
  }

  #deliver(delivery: PendingMessages): void {
    if (this.#current) this.#give(this.#current, delivery);
    else if (this.#refusal === undefined) this.#waiting.push(delivery);
    else for (const request of delivery.messages.filter(isRequest)) this.#fail(request, this.#refusal);
  }

  #give(code: ServerProcess, { messages, text }: PendingMessages): void {
    for (const message of messages) {
      const key = keyOf(message["id"]);
      if (!this.memory.subscriptions.has(key)) this.memory.receive(message);
      if (isRequest(message))
        code.asked.set(key, { request: message, method: methodOf(message) ?? "", isCancelled: false });
    }
    code.send(text);
  }

  /** The message for the client; undefined if it gets none. */
  #translate(code: ServerProcess, message: JsonObject): JsonObject | undefined {
    const method = methodOf(message);
    if (method === undefined) return this.#translateAnswer(code, message);
    if (isRequest(message)) return this.#serverRequests.ask(code, message);
    if (method === "notifications/cancelled") {
      const translated = this.#serverRequests.cancel(code, message);
      return translated ?? (code === this.#current ? message : undefined);
    }
    if (method === "notifications/progress" || method === "notifications/message") return message;
    // Only the current process announces changes.
    if (code !== this.#current) return undefined;
    return method === "notifications/subscriptions/acknowledged" ? this.#acknowledge(message) : message;
  }

  #acknowledge(message: JsonObject): JsonObject | undefined {
    const subscriptions = this.memory.subscriptions.get(keyOf(metaOf(message)[SUBSCRIPTION]));
    if (subscriptions === undefined) return message;
    if (subscriptions.isAcknowledged) return undefined;
    subscriptions.isAcknowledged = true;
    return amendAcknowledgement(message, subscriptions.request);
  }

  #translateAnswer(code: ServerProcess, message: JsonObject): JsonObject | undefined {
    const key = keyOf(message["id"]);
    code.hasResponded = true;
    if (code.takes(message["id"], message)) return undefined;
    const asked = code.asked.get(key);
    // An error without an id reports a line that could not be parsed.
    if (asked === undefined) return message["id"] === null && code === this.#current ? message : undefined;
    code.asked.delete(key);
    this.memory.subscriptions.delete(key);
    const { result } = message;
    if (isObject(result)) this.#learn(code, asked.method, paramsOf(asked.request), result);
    return amendAnswer(asked.method, message);
  }

  #learn(code: ServerProcess, method: string, params: JsonObject, result: JsonObject): void {
    const { capabilities, requestState: state } = result;
    if (typeof state === "string") code.states.add(state);
    if (method === "initialize") this.memory.agree(params, result);
    if ((method === "initialize" || method === "server/discover") && isObject(capabilities))
      code.capabilities = capabilities;
  }

  /** Ends a replaced process without pending requests. */
  #release(code: ServerProcess): void {
    if (!this.#draining.has(code) || !code.isIdle) return;
    this.#draining.delete(code);
    code.end();
  }

  #announce(changes: readonly ListChange[]): void {
    for (const { of } of changes) {
      const method = `notifications/${of}/list_changed`;
      if (this.memory.isInitialized) this.#notify(method);
      for (const { id } of this.memory.listenersOf(of)) this.#notify(method, { _meta: { [SUBSCRIPTION]: id ?? null } });
    }
  }

  #notify(method: string, params?: JsonObject): void {
    this.#output.send(JSON.stringify({ jsonrpc: "2.0", method, ...(params && { params }) }));
  }

  #fail(request: JsonObject, reason: string): void {
    const { code, message } = internalError(reason);
    this.#output.send(JSON.stringify({ jsonrpc: "2.0", id: request["id"] ?? null, error: { code, message } }));
  }
}
