import type { Json, JsonObject } from "@toolwright/engine";
import type { Connection } from "./connection.js";
import { isRequest, keyOf, type Line, metaOf, methodOf, paramsOf, readLine, SUBSCRIPTION } from "./messages.js";

/** What hears what the server says: the answer to one POST, or a stream that the client has opened for the rest. */
export interface Ear {
  say(message: JsonObject): void;
  /** Nothing more will come. */
  end(): void;
}

/** A request of a POST that has no answer yet. */
interface Pending {
  readonly id: Json;
  readonly token: Json | undefined;
  readonly ear: Ear;
  readonly left: Set<string>;
}

/**
 * Clients over HTTP that share one connection. Each counts its ids by itself, so the code sees ids of ours; whatever belongs to a
 * request goes back with its answer, and the rest to a stream that is open.
 */
export class WebClient {
  readonly #connection: Connection;
  readonly #pending = new Map<string, Pending>();
  readonly #streams = new Set<Ear>();
  #number = 0;

  constructor(open: (send: (text: string) => void) => Connection) {
    this.#connection = open((text) => this.#hear(text));
  }

  /** No request waits and nobody listens. */
  get isIdle(): boolean {
    return this.#pending.size === 0 && this.#streams.size === 0;
  }

  swap(): Promise<void> {
    return this.#connection.swap();
  }

  async close(): Promise<void> {
    for (const ear of [...this.#streams, ...[...this.#pending.values()].map((pending) => pending.ear)]) ear.end();
    await this.#connection.close();
  }

  /** Opens a stream for what belongs to no request; gives what closes it. */
  listen(ear: Ear): () => void {
    this.#streams.add(ear);
    return () => this.#streams.delete(ear);
  }

  /** Brings what a POST says to the code; gives what is to be done where the client goes before all is answered. */
  post({ messages, isBatch }: Line, ear: Ear): () => void {
    const left = new Set<string>();
    const said = messages.map((message) => this.#translate(message, ear, left));
    this.#connection.hear(JSON.stringify(isBatch ? said : said[0]));
    return () => {
      for (const key of left) {
        this.#pending.delete(key);
        const requestId = JSON.parse(key) as string;
        const params = { requestId, reason: "The client has gone" };
        this.#connection.hear(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params }));
      }
    };
  }

  #translate(message: JsonObject, ear: Ear, left: Set<string>): JsonObject {
    if (!isRequest(message))
      return methodOf(message) === "notifications/cancelled" ? this.#cancelled(message) : message;
    this.#number += 1;
    const id = `http-${this.#number}`;
    const { progressToken: token } = metaOf(message);
    left.add(keyOf(id));
    this.#pending.set(keyOf(id), { id: message["id"] ?? null, token, ear, left });
    if (token === undefined) return { ...message, id };
    return { ...message, id, params: { ...paramsOf(message), _meta: { ...metaOf(message), progressToken: id } } };
  }

  #cancelled(message: JsonObject): JsonObject {
    const params = paramsOf(message);
    const found = [...this.#pending].find(([, { id }]) => keyOf(id) === keyOf(params["requestId"]));
    if (found === undefined) return message;
    this.#settle(found[0], found[1]);
    return { ...message, params: { ...params, requestId: JSON.parse(found[0]) as string } };
  }

  #hear(text: string): void {
    for (const message of readLine(text)?.messages ?? []) this.#tell(message);
  }

  #tell(message: JsonObject): void {
    const params = paramsOf(message);
    const meta = metaOf(message);
    const method = methodOf(message);
    const key = keyOf(method === undefined ? message["id"] : (params["progressToken"] ?? meta[SUBSCRIPTION]));
    const pending = this.#pending.get(key);
    if (pending === undefined) return void (method !== undefined && this.#anyEar()?.say(message));
    const { id, token, ear } = pending;
    if (method === undefined) {
      ear.say({ ...message, id });
      this.#settle(key, pending);
    } else if (method === "notifications/progress")
      ear.say({ ...message, params: { ...params, progressToken: token ?? null } });
    else ear.say({ ...message, params: { ...params, _meta: { ...meta, [SUBSCRIPTION]: id } } });
  }

  #settle(key: string, { ear, left }: Pending): void {
    this.#pending.delete(key);
    left.delete(key);
    if (left.size === 0) ear.end();
  }

  /** A question may come where the client reads; a stream for everything is the first place. */
  #anyEar(): Ear | undefined {
    const [stream] = this.#streams;
    return stream ?? [...this.#pending.values()].at(-1)?.ear;
  }
}
