import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../fuzz/random.js";
import { type Endpoint, send } from "./http-post.js";
import { isInputRequest, retryWithInput, STATELESS, toRequest } from "./messages.js";
import { choosePlan, type Plan, reply } from "./plan.js";
import type { Message, RequestTracker, TrackedRequest } from "./request-tracker.js";

const headersOf = ({ method, params }: Message): Message => {
  const { name } = params as Message;
  return { "mcp-protocol-version": STATELESS, "mcp-method": method, ...(name !== undefined && { "mcp-name": name }) };
};

/** A client of the stateless revision: disconnecting cancels the request. */
export class StatelessClient {
  readonly #endpoint: Endpoint;
  readonly #random: Random;
  readonly #tracker: RequestTracker;
  readonly #name: string;
  #last = 0;

  constructor(endpoint: Endpoint, random: Random, tracker: RequestTracker, name: string) {
    this.#endpoint = endpoint;
    this.#random = random;
    this.#tracker = tracker;
    this.#name = name;
  }

  async sendRequests(limit: number, isLate: () => boolean): Promise<void> {
    for (let count = 0; count < limit && !isLate(); count += 1) {
      const action = this.#random.below(25);
      if (action === 0) await this.#breakOff();
      else if (action === 1) await this.#listen();
      else await this.#request();
      await sleep(this.#random.below(20));
    }
  }

  async #request(): Promise<void> {
    const id = this.#nextId();
    const plan = choosePlan(this.#random, id, true);
    if (plan.misbehaves) this.#tracker.counts.misbehaviours += 1;
    const request = toRequest(STATELESS, id, plan.method, plan.params, this.#random.oneIn(2));
    const answer = await this.#post(request, "answer" in plan ? isInputRequest : plan.check, plan.isEndless);
    const retry = answer && retryWithInput(request, answer, `${id}.retry`, reply(plan.answer));
    if (retry === undefined) return;
    this.#tracker.counts.questions += 1;
    await this.#post(retry, plan.check, false);
  }

  /** Sends a request and returns the response, or undefined if the client did not wait for it. */
  async #post(request: Message, check: Plan["check"], isEndless: boolean): Promise<Message | undefined> {
    const entry = this.#tracker.open(String(request["id"]), check);
    let answer: Message | undefined;
    const sent = send(this.#endpoint, headersOf(request), request, (message) => {
      if (message["id"] === request["id"]) answer = message;
      if ("id" in message) entry.answer(message);
    });
    const isGivenUp = isEndless || this.#random.oneIn(12);
    if (isGivenUp) void this.#abortSoon(entry, sent.abort);
    void sent.response.then(async (answering) => {
      if ((await answering?.isComplete) && entry.isOpen)
        this.#tracker.fail(`${entry.label}: the POST ended with ${answering?.status} and no answer`);
      entry.abandon();
    });
    await entry.settled();
    return answer;
  }

  async #abortSoon(entry: TrackedRequest, abort: () => void): Promise<void> {
    await sleep(this.#random.below(40));
    if (!entry.isOpen) return;
    entry.cancel();
    abort();
  }

  /** Disconnects in the middle of the request body. */
  async #breakOff(): Promise<void> {
    this.#tracker.counts.disconnects += 1;
    const { url } = this.#endpoint;
    const socket = connect(Number(url.port), url.hostname);
    socket.on("error", () => undefined);
    const length = this.#random.oneIn(2) ? "content-length: 5000" : "transfer-encoding: chunked";
    const head = `POST ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\n${length}\r\n`;
    socket.write(this.#random.oneIn(3) ? head : `${head}\r\n{"jsonrpc":"2.0","id":"half","meth`);
    await sleep(this.#random.below(20));
    socket.destroy();
  }

  /** Opens a change subscription for a while. */
  async #listen(): Promise<void> {
    const id = this.#nextId();
    const request = toRequest(
      STATELESS,
      id,
      "subscriptions/listen",
      { notifications: { toolsListChanged: true } },
      false,
    );
    const entry = this.#tracker.open(id, () => undefined);
    const sent = send(this.#endpoint, headersOf(request), request, (message) => {
      // The first message acknowledges the subscription; the response is the end of the stream.
      if (entry.isOpen) entry.answer(message);
    });
    await entry.settled();
    await sleep(this.#random.below(100));
    this.#tracker.counts.disconnects += 1;
    sent.abort();
  }

  #nextId(): string {
    this.#last += 1;
    return `${this.#name}.${this.#last}`;
  }
}
