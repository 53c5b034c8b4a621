import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Dice } from "../fuzz/dice.js";
import { isQuestion, nextRound, STATELESS, toRequest } from "./eras.js";
import { type Place, send } from "./http-post.js";
import type { Entry, Ledger, Message } from "./ledger.js";
import { choosePlan, type Plan, reply } from "./plan.js";

const headersOf = ({ method, params }: Message): Message => {
  const { name } = params as Message;
  return { "mcp-protocol-version": STATELESS, "mcp-method": method, ...(name !== undefined && { "mcp-name": name }) };
};

/** A client whose requests stand alone: who goes away cancels. */
export class StatelessClient {
  readonly #place: Place;
  readonly #dice: Dice;
  readonly #ledger: Ledger;
  readonly #name: string;
  #last = 0;

  constructor(place: Place, dice: Dice, ledger: Ledger, name: string) {
    this.#place = place;
    this.#dice = dice;
    this.#ledger = ledger;
    this.#name = name;
  }

  async talk(most: number, isLate: () => boolean): Promise<void> {
    for (let count = 0; count < most && !isLate(); count += 1) {
      const way = this.#dice.roll(25);
      if (way === 0) await this.#breakOff();
      else if (way === 1) await this.#listen();
      else await this.#request();
      await sleep(this.#dice.roll(20));
    }
  }

  async #request(): Promise<void> {
    const id = this.#nextId();
    const plan = choosePlan(this.#dice, id, true);
    if (plan.isFault) this.#ledger.counts.faults += 1;
    const request = toRequest(STATELESS, id, plan.method, plan.params, this.#dice.oneIn(2));
    const answer = await this.#post(request, "said" in plan ? isQuestion : plan.check, plan.isEndless);
    const again = answer && nextRound(request, answer, `${id}.again`, reply(plan.said));
    if (again === undefined) return;
    this.#ledger.counts.questions += 1;
    await this.#post(again, plan.check, false);
  }

  /** Sends a request; gives its answer, where its client has waited for it. */
  async #post(request: Message, check: Plan["check"], isEndless: boolean): Promise<Message | undefined> {
    const entry = this.#ledger.open(String(request["id"]), check);
    let answer: Message | undefined;
    const sent = send(this.#place, headersOf(request), request, (message) => {
      if (message["id"] === request["id"]) answer = message;
      if ("id" in message) entry.answer(message);
    });
    const isGivenUp = isEndless || this.#dice.oneIn(12);
    if (isGivenUp) void this.#abortSoon(entry, sent.abort);
    void sent.answering.then(async (answering) => {
      if ((await answering?.isWhole) && entry.isOpen)
        this.#ledger.wrong(`${entry.label}: the POST ended with ${answering?.status} and no answer`);
      entry.cutOff();
    });
    await entry.over();
    return answer;
  }

  async #abortSoon(entry: Entry, abort: () => void): Promise<void> {
    await sleep(this.#dice.roll(40));
    if (!entry.isOpen) return;
    entry.cancel();
    abort();
  }

  /** Goes in the middle of the body. */
  async #breakOff(): Promise<void> {
    this.#ledger.counts.disconnects += 1;
    const { url } = this.#place;
    const socket = connect(Number(url.port), url.hostname);
    socket.on("error", () => undefined);
    const length = this.#dice.oneIn(2) ? "content-length: 5000" : "transfer-encoding: chunked";
    const head = `POST ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\n${length}\r\n`;
    socket.write(this.#dice.oneIn(3) ? head : `${head}\r\n{"jsonrpc":"2.0","id":"half","meth`);
    await sleep(this.#dice.roll(20));
    socket.destroy();
  }

  /** Listens for changes for a while. */
  async #listen(): Promise<void> {
    const id = this.#nextId();
    const request = toRequest(
      STATELESS,
      id,
      "subscriptions/listen",
      { notifications: { toolsListChanged: true } },
      false,
    );
    const entry = this.#ledger.open(id, () => undefined);
    const sent = send(this.#place, headersOf(request), request, (message) => {
      // What it is told first is that it listens; the end of the stream is the answer.
      if (entry.isOpen) entry.answer(message);
    });
    await entry.over();
    await sleep(this.#dice.roll(100));
    this.#ledger.counts.disconnects += 1;
    sent.abort();
  }

  #nextId(): string {
    this.#last += 1;
    return `${this.#name}.${this.#last}`;
  }
}
