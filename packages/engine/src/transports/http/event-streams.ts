import { monotonic } from "../../server/clock.js";
import type { Log } from "../../server/log.js";
import type { Arrival } from "./arrival.js";
import { admitAgain, type Gate } from "./gate.js";
import type { EventSink, HttpHeaders } from "./host.js";
import type { HttpLimits } from "./limits.js";

const COMMENT = ": still here\n\n";

/** How often it is looked whether a client has taken what waits for it. */
const ROOM_LOOK_MS = 20;

const STREAM_HEADERS: HttpHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  // Otherwise some proxies keep events back until they have a page full of them.
  "x-accel-buffering": "no",
};

/** All open event streams: so many at once, none of them silent for long, none with more waiting than its bound. */
export class EventStreams {
  readonly #limits: HttpLimits;
  readonly #log: Log;
  readonly #count: (change: 1 | -1) => void;
  /** Each stream, with the request that it answers where a gate has to see it again. */
  readonly #open = new Map<EventStream, Arrival | undefined>();
  #ticking: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** `count` hears of each stream that begins or ends. */
  constructor(limits: HttpLimits, log: Log, count: (change: 1 | -1) => void = () => undefined) {
    this.#limits = limits;
    this.#log = log;
    this.#count = count;
  }

  get isFull(): boolean {
    return this.#isClosed || this.#open.size >= this.#limits.streams;
  }

  /** Begins the stream that answers a request; `onGone` hears, once, that the client has broken it off or was cut off. */
  open(arrival: Arrival, onGone: () => void): EventStream {
    const { reply, gate } = arrival;
    const stream = new EventStream(reply.open(STREAM_HEADERS), this, onGone);
    reply.onGone = () => stream.gone();
    this.#open.set(stream, gate && arrival);
    this.#count(1);
    this.#ticking ??= setInterval(() => this.#tick(), this.#limits.keepAliveMs).unref();
    return stream;
  }

  /** The bytes that may wait for a client. */
  get mostBytes(): number {
    return this.#limits.streamBytes;
  }

  /** How long a client may take nothing of what waits for it. */
  get stalledMs(): number {
    return this.#limits.stalledMs;
  }

  /** A stream is over; `isSlow`: because its client did not keep up. */
  forget(stream: EventStream, isSlow: boolean): void {
    if (this.#open.delete(stream)) this.#count(-1);
    if (isSlow) this.#log({ level: "warning", message: "an event stream was dropped: its client reads too slowly" });
  }

  /** Ends every stream, and lets none begin. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open.keys()) stream.end();
    this.#rest();
  }

  #tick(): void {
    for (const [stream, arrival] of this.#open) {
      stream.tick();
      if (arrival !== undefined) void this.#askAgain(stream, arrival);
    }
    if (this.#open.size === 0) this.#rest();
  }

  async #askAgain(stream: EventStream, { gate, request, verified }: Arrival): Promise<void> {
    try {
      if ((await admitAgain(gate as Gate, request, verified)) === undefined) stream.cutOff();
    } catch (error) {
      this.#log({ level: "error", message: "the token of an event stream could not be checked again", error });
    }
  }

  #rest(): void {
    clearInterval(this.#ticking);
    this.#ticking = undefined;
  }
}

/** One open event stream. */
export class EventStream {
  readonly #sink: EventSink;
  readonly #all: EventStreams;
  readonly #onGone: () => void;
  #isOver = false;
  #isIdle = true;

  /** `onGone` hears that the client has broken it off, or was too slow. */
  constructor(sink: EventSink, all: EventStreams, onGone: () => void) {
    this.#sink = sink;
    this.#all = all;
    this.#onGone = onGone;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether so much waits already that what could be told later should be. */
  get isBehind(): boolean {
    return !this.#isOver && this.#sink.buffered > this.#all.mostBytes / 2;
  }

  /** Waits until the client has taken what waits, or has gone; one that takes nothing for long is dropped. */
  async room(): Promise<void> {
    const until = monotonic() + this.#all.stalledMs;
    while (this.isBehind) {
      if (monotonic() > until) return this.#drop();
      await new Promise((resolve) => setTimeout(resolve, ROOM_LOOK_MS).unref());
    }
  }

  /** Sends a message; `id` is what a client names that comes back. */
  message(text: string, id?: string): void {
    this.write(id === undefined ? `event: message\ndata: ${text}\n\n` : `event: message\nid: ${id}\ndata: ${text}\n\n`);
  }

  /** Writes an event as it is. */
  write(event: string): void {
    if (this.#isOver) return;
    // What the client has not taken is counted before the new event comes to it, so that one large message alone is no reason.
    if (this.#sink.buffered > this.#all.mostBytes) return this.#drop();
    this.#isIdle = false;
    this.#sink.write(event);
  }

  /** Shows the client, and all who stand between, that the stream is alive. */
  tick(): void {
    if (this.#isIdle) this.#sink.write(COMMENT);
    this.#isIdle = true;
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#sink.end();
    this.#all.forget(this, false);
  }

  /** The client may not listen any more. */
  cutOff(): void {
    if (this.#isOver) return;
    this.#sink.end();
    this.gone();
  }

  /** The client has gone. */
  gone(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#all.forget(this, false);
    this.#onGone();
  }

  #drop(): void {
    this.#isOver = true;
    this.#sink.drop();
    this.#all.forget(this, true);
    this.#onGone();
  }
}
