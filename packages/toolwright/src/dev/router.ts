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
import type { Code } from "./server-process.js";

/** A request that listens for changes as long as it is open. */
interface Listening {
  readonly request: JsonObject;
  /** The client has been told that it listens. */
  isAcknowledged: boolean;
}

/** What the next code must be told of the client, because the client says it only once. */
export class Memory {
  /** The parameters of the handshake that was answered. */
  initialize: JsonObject | undefined;
  /** The revision that the client was given then. */
  agreed: string | undefined;
  isInitialized = false;
  /** What every request of a stateless client has beside its parameters. */
  meta: JsonObject | undefined;
  readonly listening = new Map<string, Listening>();
  readonly #watched = new Set<string>();
  #level: JsonObject | undefined;

  /** Notes what matters later. */
  hear(message: JsonObject): void {
    const params = paramsOf(message);
    const uri = textIn(params, "uri");
    const method = methodOf(message);
    if (method === "notifications/initialized") this.isInitialized = true;
    else if (method === "logging/setLevel") this.#level = params;
    else if (method === "resources/subscribe") this.#watched.add(uri);
    else if (method === "resources/unsubscribe") this.#watched.delete(uri);
    else if (method === "subscriptions/listen")
      this.listening.set(keyOf(message["id"]), { request: message, isAcknowledged: false });
    const meta = metaOf(message);
    if (typeof meta[VERSION] === "string")
      this.meta = Object.fromEntries(
        Object.entries(meta).filter(([name]) => name.startsWith("io.modelcontextprotocol/")),
      );
  }

  /** The handshake has succeeded. */
  agree(params: JsonObject, result: JsonObject): void {
    this.initialize = params;
    this.agreed = textIn(result, "protocolVersion");
  }

  /** What code that has just shaken hands is to be told, beside the handshake. */
  get wishes(): readonly { readonly method: string; readonly params: JsonObject }[] {
    return [
      ...(this.#level ? [{ method: "logging/setLevel", params: this.#level }] : []),
      ...[...this.#watched].map((uri) => ({ method: "resources/subscribe", params: { uri } })),
    ];
  }

  /** Who listens for the changes of a list, by the id of the request. */
  listenersOf(list: string): readonly JsonObject[] {
    const requests = [...this.listening.values()].map(({ request }) => request);
    return requests.filter((request) => {
      const wanted = paramsOf(request)["notifications"];
      return isObject(wanted) && wanted[`${list}ListChanged`] === true;
    });
  }
}

interface Question {
  readonly code: Code;
  /** The id that the code gave it. */
  readonly id: Json;
  readonly token: Json | undefined;
}

/** What code asks the client. Two codes may use the same ids, so the client sees ids of ours. */
class Questions {
  readonly #open = new Map<number, Question>();
  #number = 0;

  /** The question as the client is to see it. */
  ask(code: Code, request: JsonObject): JsonObject {
    this.#number += 1;
    const { progressToken: token } = metaOf(request);
    this.#open.set(this.#number, { code, id: request["id"] ?? null, token });
    if (token === undefined) return { ...request, id: this.#number };
    const params = { ...paramsOf(request), _meta: { ...metaOf(request), progressToken: this.#number } };
    return { ...request, id: this.#number, params };
  }

  /** Brings an answer to whoever asked. */
  answer(answer: JsonObject): void {
    const question = this.#take(answer["id"]);
    question?.code.say(JSON.stringify({ ...answer, id: question.id }));
  }

  /** Brings the news of how far the client is to whoever asked; false where no question is meant. */
  progress(message: JsonObject): boolean {
    const params = paramsOf(message);
    const question = this.#open.get(Number(params["progressToken"]));
    if (question?.token === undefined) return false;
    question.code.say(JSON.stringify({ ...message, params: { ...params, progressToken: question.token } }));
    return true;
  }

  /** The code no longer wants to know: the message as the client is to see it; undefined where no question is meant. */
  cancel(code: Code, message: JsonObject): JsonObject | undefined {
    const params = paramsOf(message);
    const found = [...this.#open].find(
      ([, question]) => question.code === code && keyOf(question.id) === keyOf(params["requestId"]),
    );
    if (found === undefined) return undefined;
    this.#open.delete(found[0]);
    return { ...message, params: { ...params, requestId: found[0] } };
  }

  /** The ids of what code has asked and will never hear. */
  forget(code: Code): readonly number[] {
    const ids = [...this.#open].filter(([, question]) => question.code === code).map(([id]) => id);
    for (const id of ids) this.#open.delete(id);
    return ids;
  }

  #take(id: Json | undefined): Question | undefined {
    const question = typeof id === "number" ? this.#open.get(id) : undefined;
    if (question) this.#open.delete(id as number);
    return question;
  }
}

/** What has to be said to code, once there is some. */
interface Delivery {
  readonly messages: readonly JsonObject[];
  readonly text: string;
}

/** How a switchboard reaches the world. */
interface Lines {
  /** To the client. */
  send(text: string): void;
  /** For whoever watches: what the code printed where only messages belong. */
  stray(line: string): void;
}

/** Joins one client with the code of the moment: a request is answered once, by the code that it was given to. */
export class Switchboard {
  readonly memory = new Memory();
  readonly #lines: Lines;
  readonly #questions = new Questions();
  readonly #waiting: Delivery[] = [];
  readonly #leaving = new Set<Code>();
  #current: Code | undefined;
  #refusal: string | undefined;

  constructor(lines: Lines) {
    this.#lines = lines;
  }

  get current(): Code | undefined {
    return this.#current;
  }

  /** A line of the client. */
  hearClient(text: string): void {
    const line = readLine(text);
    if (line === undefined) return this.#current?.say(text);
    const left = line.messages.filter((message) => !this.#routes(message));
    if (left.length === 0) return;
    const isWhole = left.length === line.messages.length;
    this.#deliver({ messages: left, text: isWhole ? text : JSON.stringify(left) });
  }

  /** A line of code. */
  hearCode(code: Code, text: string): void {
    const line = readLine(text);
    if (line === undefined) return this.#lines.stray(text);
    const told = line.messages.flatMap((message) => this.#translate(code, message) ?? []);
    if (told.length > 0) {
      const isSame = told.length === line.messages.length && told.every((one, at) => one === line.messages[at]);
      this.#lines.send(isSame ? text : JSON.stringify(line.isBatch ? told : told[0]));
    }
    this.#release(code);
  }

  /** From now on this code gets what comes; the one before finishes what it has. */
  take(code: Code, changes: readonly ListChange[]): void {
    const before = this.#current;
    this.#current = code;
    this.#refusal = undefined;
    // Code that cannot be told a level or a resource to watch serves all the same.
    for (const { method, params } of this.memory.wishes) void code.ask(method, params).catch(() => undefined);
    for (const [key, { request }] of this.memory.listening) {
      before?.asked.delete(key);
      this.#give(code, { messages: [request], text: JSON.stringify(request) });
    }
    this.#announce(changes);
    for (const delivery of this.#waiting.splice(0)) this.#deliver(delivery);
    if (before === undefined) return;
    this.#leaving.add(before);
    this.#release(before);
  }

  /** There is no code, and none in sight: requests are answered with the reason. */
  refuse(reason: string): void {
    this.#refusal = reason;
    for (const delivery of this.#waiting.splice(0)) this.#deliver(delivery);
  }

  /** There is no code, but soon there will be: requests wait. */
  wait(): void {
    this.#refusal = undefined;
  }

  /** Code has ended, or has had all the time that it gets: what it owes is answered with the reason. */
  settle(code: Code, reason: string): void {
    this.#leaving.delete(code);
    if (code === this.#current) this.#current = undefined;
    for (const [key, { request, isCancelled }] of code.asked)
      if (!isCancelled && !this.memory.listening.has(key)) this.#fail(request, reason);
    code.asked.clear();
    code.states.clear();
    for (const requestId of this.#questions.forget(code))
      this.#notify("notifications/cancelled", { requestId, reason: "The code that asked has ended" });
  }

  /** What belongs to one code in particular goes there; says whether that was so. */
  #routes(message: JsonObject): boolean {
    const method = methodOf(message);
    if (method === undefined) this.#questions.answer(message);
    else if (method === "notifications/cancelled") this.#cancel(message);
    else if (method === "notifications/progress") return this.#questions.progress(message);
    else return isRequest(message) && this.#routesRequest(message);
    return true;
  }

  #routesRequest(message: JsonObject): boolean {
    const state = paramsOf(message)["requestState"];
    const codes = [this.#current, ...this.#leaving].filter((code) => code !== undefined);
    const asker = typeof state === "string" ? codes.find((code) => code.states.delete(state)) : undefined;
    if (asker && asker !== this.#current) {
      this.#give(asker, { messages: [message], text: JSON.stringify(message) });
      return true;
    }
    const empty = emptyList(message, this.#current?.capabilities);
    if (empty) this.#lines.send(JSON.stringify(empty));
    return empty !== undefined;
  }

  #cancel(message: JsonObject): void {
    const key = keyOf(paramsOf(message)["requestId"]);
    this.memory.listening.delete(key);
    const isMeant = (each: JsonObject): boolean => isRequest(each) && keyOf(each["id"]) === key;
    const unsent = this.#waiting.findIndex(({ messages }) => messages.length === 1 && messages.every(isMeant));
    if (unsent !== -1) this.#waiting.splice(unsent, 1);
    for (const code of [this.#current, ...this.#leaving]) {
      const asked = code?.asked.get(key);
      if (code === undefined || asked === undefined) continue;
      asked.isCancelled = true;
      code.say(JSON.stringify(message));
      this.#release(code);
    }
  }

  #deliver(delivery: Delivery): void {
    if (this.#current) this.#give(this.#current, delivery);
    else if (this.#refusal === undefined) this.#waiting.push(delivery);
    else for (const request of delivery.messages.filter(isRequest)) this.#fail(request, this.#refusal);
  }

  #give(code: Code, { messages, text }: Delivery): void {
    for (const message of messages) {
      const key = keyOf(message["id"]);
      if (!this.memory.listening.has(key)) this.memory.hear(message);
      if (isRequest(message))
        code.asked.set(key, { request: message, method: methodOf(message) ?? "", isCancelled: false });
    }
    code.say(text);
  }

  /** What the client is to see of a message of code; undefined where it is nothing. */
  #translate(code: Code, message: JsonObject): JsonObject | undefined {
    const method = methodOf(message);
    if (method === undefined) return this.#translateAnswer(code, message);
    if (isRequest(message)) return this.#questions.ask(code, message);
    if (method === "notifications/cancelled") {
      const translated = this.#questions.cancel(code, message);
      return translated ?? (code === this.#current ? message : undefined);
    }
    if (method === "notifications/progress" || method === "notifications/message") return message;
    // Changes are told by the code that has them.
    if (code !== this.#current) return undefined;
    return method === "notifications/subscriptions/acknowledged" ? this.#acknowledge(message) : message;
  }

  #acknowledge(message: JsonObject): JsonObject | undefined {
    const listening = this.memory.listening.get(keyOf(metaOf(message)[SUBSCRIPTION]));
    if (listening === undefined) return message;
    if (listening.isAcknowledged) return undefined;
    listening.isAcknowledged = true;
    return amendAcknowledgement(message, listening.request);
  }

  #translateAnswer(code: Code, message: JsonObject): JsonObject | undefined {
    const key = keyOf(message["id"]);
    code.isProven = true;
    if (code.takes(message["id"], message)) return undefined;
    const asked = code.asked.get(key);
    // Answers without an id tell of a line that could not be read.
    if (asked === undefined) return message["id"] === null && code === this.#current ? message : undefined;
    code.asked.delete(key);
    this.memory.listening.delete(key);
    const { result } = message;
    if (isObject(result)) this.#learn(code, asked.method, paramsOf(asked.request), result);
    return amendAnswer(asked.method, message);
  }

  #learn(code: Code, method: string, params: JsonObject, result: JsonObject): void {
    const { capabilities, requestState: state } = result;
    if (typeof state === "string") code.states.add(state);
    if (method === "initialize") this.memory.agree(params, result);
    if ((method === "initialize" || method === "server/discover") && isObject(capabilities))
      code.capabilities = capabilities;
  }

  /** Code that nobody waits for any more may go. */
  #release(code: Code): void {
    if (!this.#leaving.has(code) || !code.isIdle) return;
    this.#leaving.delete(code);
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
    this.#lines.send(JSON.stringify({ jsonrpc: "2.0", method, ...(params && { params }) }));
  }

  #fail(request: JsonObject, reason: string): void {
    const { code, message } = internalError(reason);
    this.#lines.send(JSON.stringify({ jsonrpc: "2.0", id: request["id"] ?? null, error: { code, message } }));
  }
}
