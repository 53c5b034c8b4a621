import { internalError, type JsonObject } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import { amendAcknowledgement, amendAnswer, emptyList } from "./amend.js";
import type { Code } from "./code.js";
import type { ListChange } from "./lists.js";
import { Memory } from "./memory.js";
import { isRequest, keyOf, metaOf, methodOf, paramsOf, readLine, SUBSCRIPTION } from "./messages.js";
import { Questions } from "./questions.js";

/** What has to be said to code, once there is some. */
interface Delivery {
  readonly messages: readonly JsonObject[];
  readonly text: string;
}

/** How a switchboard reaches the world. */
export interface Lines {
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
