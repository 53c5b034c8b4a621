import { performance } from "node:perf_hooks";
import { firstId, requestForm } from "./requests.mjs";
import { quantile } from "./stats.mjs";

const latestId = 9_000_000;

/**
 * @typedef {object} Pass
 * @property {number} micros server CPU per request in µs
 * @property {number} perSecond requests answered per second
 * @property {number} p50 latency in µs, one at a time only
 * @property {number} p99
 * @property {boolean} disturbed whether others had more than 15% of the CPU meanwhile
 */

/** Sends one kind of traffic to one server, keeps its window full, and checks every answer that comes. */
export class Traffic {
  #connection;
  #window;
  /** @type {import("./requests.mjs").RequestForm[]} one for each different subject */
  #forms;
  /** @type {number[]} which form has its turn, over and over */
  #order;
  /** @type {({ line: Buffer, idAt: number } | undefined)[]} a right answer to each form */
  #known;
  #nextId = firstId;
  /** @type {Map<number, number>} the moment each request in flight was sent */
  #inFlight = new Map();

  constructor(
    /** @type {import("./connection.mjs").Connection} */ connection,
    /** @type {import("./cells.mjs").Cell} */ cell,
  ) {
    this.#connection = connection;
    this.#window = cell.window;
    const different = [...new Set(cell.subjects)];
    this.#forms = different.map((subject) => requestForm(subject, cell.era, cell.tools));
    this.#order = cell.subjects.map((subject) => different.indexOf(subject));
    this.#known = this.#forms.map(() => undefined);
  }

  /** Which form the request with this id has. */
  #turn(/** @type {number} */ id) {
    return this.#order[(id - firstId) % this.#order.length];
  }

  #send(/** @type {number} */ count, /** @type {number} */ now) {
    const requests = [];
    for (let n = 0; n < count; n++) {
      const id = this.#nextId++;
      requests.push({ form: this.#forms[this.#turn(id)], id });
      this.#inFlight.set(id, now);
    }
    this.#connection.send(requests);
  }

  /**
   * Every answer is checked. An answer that is byte for byte one that was parsed and found right, but for its id,
   * needs no parsing; that keeps the client from being the slower half.
   * @returns {number} the id
   */
  #check(/** @type {Buffer} */ bytes, /** @type {number} */ start, /** @type {number} */ end) {
    for (const known of this.#known) {
      if (known === undefined || known.line.length !== end - start) continue;
      const idEnd = known.idAt + 7;
      if (bytes.compare(known.line, 0, known.idAt, start, start + known.idAt) !== 0) continue;
      if (bytes.compare(known.line, idEnd, known.line.length, start + idEnd, end) !== 0) continue;
      let id = 0;
      for (let digit = start + known.idAt; digit < start + idEnd; digit++) id = id * 10 + bytes[digit] - 48;
      // Two requests of a mix may have answers of one length, so the turn is compared as well.
      if (this.#known[this.#turn(id)] === known) return id;
    }
    const answer = JSON.parse(bytes.utf8Slice(start, end));
    if (answer.method !== undefined) return 0;
    const request = this.#forms[this.#turn(answer.id)];
    if (answer.result === undefined || answer.result.isError || !request?.isRight(answer.result)) {
      throw new Error(`wrong answer: ${bytes.utf8Slice(start, Math.min(end, start + 300))}`);
    }
    const line = Buffer.from(bytes.subarray(start, end));
    const idAt = line.indexOf(`"id":${answer.id}`) + 5;
    if (idAt >= 5) this.#known[this.#turn(answer.id)] = { line, idAt };
    return answer.id;
  }

  /**
   * Keeps the window full for a while, or until a number of requests was sent, then lets it run empty.
   * @param {{ millis?: number, requests?: number }} until
   */
  async #run({ millis = Number.POSITIVE_INFINITY, requests = Number.POSITIVE_INFINITY }) {
    const connection = this.#connection;
    const began = performance.now();
    const latencies = [];
    let sent = 0;
    let answered = 0;
    if (this.#nextId > latestId) this.#nextId = firstId;
    const send = (count, now) => {
      const allowed = Math.min(count, requests - sent);
      if (allowed <= 0 || now - began >= millis) return;
      sent += allowed;
      this.#send(allowed, now);
    };
    await connection.until(
      (done, fail) => {
        let fresh = 0;
        connection.onMessage = (bytes, start, end) => {
          try {
            const id = this.#check(bytes, start, end);
            if (id === 0) return;
            const at = this.#inFlight.get(id);
            if (at === undefined) throw new Error(`answered ${id}, which was not asked`);
            this.#inFlight.delete(id);
            if (this.#window === 1) latencies.push((performance.now() - at) * 1000);
            answered++;
            fresh++;
          } catch (error) {
            fail(error);
          }
        };
        connection.onChunk = () => {
          if (fresh === 0) return;
          send(fresh, performance.now());
          fresh = 0;
          if (this.#inFlight.size === 0) done();
        };
        send(this.#window, began);
      },
      () => `${this.#inFlight.size} requests were left unanswered`,
    );
    return { answered, seconds: (performance.now() - began) / 1000, latencies };
  }

  /** Traffic that is not measured, to let the compiler do its work first: the same time for every server. */
  async warmUp(/** @type {number} */ millis) {
    await this.#run({ millis });
  }

  /** A given number of requests, for what is measured before and after them. */
  async send(/** @type {number} */ requests) {
    await this.#run({ requests });
  }

  /** @returns {Promise<Pass>} */
  async measure(/** @type {number} */ millis) {
    const server = this.#connection.server;
    const before = await server.cpuMicros();
    const clientBefore = process.cpuUsage();
    const { answered, seconds, latencies } = await this.#run({ millis });
    const client = process.cpuUsage(clientBefore);
    const cpu = (await server.cpuMicros()) - before;
    const used = (cpu + client.user + client.system) / 1e6 / seconds;
    return {
      micros: cpu / answered,
      perSecond: answered / seconds,
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
      disturbed: this.#window > 1 && used < 0.85,
    };
  }
}
