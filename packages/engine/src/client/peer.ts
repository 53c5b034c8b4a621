import { methodNotFound } from "../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import type { Headers } from "./channel.js";
import { textOf } from "./text.js";

/** What a server wants to know, in either era. */
export interface Question {
  /** What the server calls it; "" where it has no name. */
  readonly name: string;
  readonly method: string;
  readonly params: JsonObject;
  /** Aborted when the answer is not wanted any more. */
  readonly signal?: AbortSignal;
}

/** Answers a question. Undefined = nothing is known of its method. */
export type Answer = (question: Question) => JsonObject | undefined | Promise<JsonObject | undefined>;

/** What a peer needs of its owner. */
export interface Owner {
  say(message: JsonObject, headers?: Headers): void;
  readonly answer: Answer;
  notified(method: string, params: JsonObject): void;
}

/** A request on its way. */
export interface Started {
  readonly id: number;
  /** The whole answer, be it a result or an error. */
  readonly answer: Promise<JsonObject>;
}

interface Waiting {
  readonly resolve: (message: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

/** One end of a JSON-RPC conversation: numbers requests, finds what answers them, and answers what is asked. */
export class Peer {
  readonly #owner: Owner;
  readonly #waiting = new Map<number, Waiting>();
  readonly #questions = new Map<Json, AbortController>();
  #lastId = 0;
  #last: JsonObject | Error | undefined;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** Something is being asked at the moment. */
  get isAsked(): boolean {
    return this.#questions.size > 0;
  }

  isWaiting(id: number): boolean {
    return this.#waiting.has(id);
  }

  start(method: string, params: JsonObject, headers?: Headers): Started {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<JsonObject>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#owner.say({ jsonrpc: "2.0", id, method, params }, headers);
    if (this.#last) this.end(this.#last);
    return { id, answer };
  }

  hear(message: JsonObject): void {
    const { id, method } = message;
    const params = isObject(message["params"]) ? message["params"] : {};
    if (typeof method !== "string") this.#settle(id, (waiting) => waiting.resolve(message));
    else if (id !== undefined) this.#hearQuestion(id, method, params);
    else if (method === "notifications/cancelled") this.#questions.get(params["requestId"] ?? null)?.abort();
    else this.#owner.notified(method, params);
  }

  /** The answer to a request will not come. */
  fail(id: number, error: Error): void {
    this.#settle(id, (waiting) => waiting.reject(error));
  }

  /** No answer will come any more: every request, open or to come, gets this one, or fails. */
  end(last: JsonObject | Error): void {
    this.#last = last;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { resolve, reject } of waiting) {
      if (last instanceof Error) reject(last);
      else resolve(last);
    }
    for (const question of this.#questions.values()) question.abort();
  }

  #settle(id: Json | undefined, deed: (waiting: Waiting) => void): void {
    const waiting = this.#waiting.get(id as number);
    this.#waiting.delete(id as number);
    if (waiting) deed(waiting);
  }

  #hearQuestion(id: Json, method: string, params: JsonObject): void {
    const meta = params["_meta"];
    const name = textOf(isObject(meta) ? meta["toolwright/question"] : undefined);
    const asked = new AbortController();
    this.#questions.set(id, asked);
    const reply = (words: JsonObject): void => {
      this.#questions.delete(id);
      if (!asked.signal.aborted) this.#owner.say({ jsonrpc: "2.0", id, ...words });
    };
    const refuse = (error: unknown): void =>
      reply({ error: { code: 1, message: error instanceof Error ? error.message : String(error) } });
    const give = (result: JsonObject | undefined): void => {
      if (result !== undefined) return reply({ result });
      const { code, message } = methodNotFound(method);
      reply({ error: { code, message } });
    };
    try {
      const answer = method === "ping" ? {} : this.#owner.answer({ name, method, params, signal: asked.signal });
      // What is known at once is said at once, before anything else that the server says.
      if (answer instanceof Promise) answer.then(give, refuse);
      else give(answer);
    } catch (error) {
      refuse(error);
    }
  }
}
