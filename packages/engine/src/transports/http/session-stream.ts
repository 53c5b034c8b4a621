import type { EventStream } from "./event-streams.js";
import type { StreamEvent } from "./session-store.js";

/** How long a client that is sent away waits before it comes back. */
const RETRY_MS = 1000;

/** Where the events of streams are kept. */
export interface EventKeeper {
  /** What it gives is there when the event can be read, and never fails. */
  keep(event: StreamEvent): Promise<void> | undefined;
  /** The events of a stream that came after a number. */
  read(stream: string, after: number): readonly StreamEvent[] | Promise<readonly StreamEvent[]>;
}

/** One event stream of a session. It outlives the connections to it: who comes back gets what came meanwhile. */
export class SessionStream {
  readonly name: string;
  readonly #keeper: EventKeeper;
  /** Settles when all events so far are kept; undefined where they are at once. */
  #keeping: Promise<unknown> | undefined;
  #last = 0;
  /** The number of the last event that went out to somebody. */
  #told = 0;
  #isOver = false;
  #connection: EventStream | undefined;
  /** The connection that is being brought up to date; meanwhile events are only kept, so that none overtakes another. */
  #next: EventStream | undefined;

  constructor(name: string, keeper: EventKeeper) {
    this.name = name;
    this.#keeper = keeper;
  }

  /** The number of the last event that went out; what came later nobody has heard. */
  get told(): number {
    return this.#told;
  }

  get keeping(): Promise<unknown> | undefined {
    return this.#keeping;
  }

  send(message: string, isLast = false): void {
    this.#last += 1;
    const event = { stream: this.name, number: this.#last, message, isLast };
    const kept = this.#keeper.keep(event);
    // Without the values, each of which would hold the one before it.
    if (kept !== undefined) this.#keeping = Promise.all([this.#keeping, kept]).then(() => undefined);
    this.#isOver ||= isLast;
    if (this.#connection !== undefined && !this.#connection.isOver) this.#tell(this.#connection, event);
  }

  /** Nothing more comes, not even an answer. */
  end(): void {
    this.#isOver = true;
    this.#connection?.end();
  }

  /** From now on events go out here. */
  connect(connection: EventStream): void {
    this.#connection = connection;
  }

  /** Brings a connection up to the last event, and from then on events go out there. */
  async catchUp(connection: EventStream, after: number): Promise<void> {
    this.#connection = undefined;
    this.#next = connection;
    let from = after;
    for (;;) {
      const last = this.#last;
      // What is not kept yet cannot be read either.
      if (this.#keeping !== undefined) await this.#keeping;
      const found = this.#keeper.read(this.name, from);
      const events = found instanceof Promise ? await found : found;
      for (const event of events) {
        if (connection.isBehind) await connection.room();
        // Whoever has come meanwhile is the next one now.
        if (this.#next !== connection) return;
        this.#tell(connection, event);
      }
      if (this.#next !== connection) return;
      from = Math.max(from, last, events.at(-1)?.number ?? 0);
      if (from >= this.#last) break;
    }
    this.#next = undefined;
    if (this.#isOver) connection.end();
    else this.#connection = connection;
  }

  /** A connection has ended. Gives whether it was the one that events went to. */
  leave(connection: EventStream): boolean {
    const isCurrent = this.#connection === connection || this.#next === connection;
    if (isCurrent) this.#connection = this.#next = undefined;
    return isCurrent;
  }

  /** The client is to come back later for the rest. */
  sendAway(): void {
    this.#connection?.end();
    this.#next?.end();
    this.#connection = this.#next = undefined;
  }

  #tell(connection: EventStream, event: StreamEvent): void {
    tell(connection, event);
    this.#told = Math.max(this.#told, event.number);
  }
}

/** Sends an event under the id by which a client comes back. */
export function tell(connection: EventStream, { stream, number, message, isLast }: StreamEvent): void {
  connection.message(message, `${stream}-${number}`);
  if (isLast) connection.end();
}

/** An event without a message, so that a client can come back before there is one. */
export function prime(connection: EventStream, stream: string, number: number): void {
  connection.write(`id: ${stream}-${number}\nretry: ${RETRY_MS}\ndata: \n\n`);
}
