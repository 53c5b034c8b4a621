/** One event of a stream, with all of its fields; a comment is an event of its own. */
export interface Event {
  readonly id?: string;
  readonly event?: string;
  readonly retry?: string;
  readonly data?: string;
  readonly comment?: string;
}

/** Reads an event stream, event by event. */
export class Events {
  readonly answer: Response;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  readonly #waiting: Event[] = [];
  #rest = "";

  constructor(answer: Response) {
    this.answer = answer;
    this.#reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  }

  static of(answer: Response): Events {
    const type = answer.headers.get("content-type");
    if (type !== "text/event-stream") throw new Error(`This is no event stream: ${answer.status} ${type}`);
    return new Events(answer);
  }

  /** The next event, comments included; undefined at the end. */
  async nextEvent(): Promise<Event | undefined> {
    while (this.#waiting.length === 0) {
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#take(this.#decoder.decode(value, { stream: true }));
    }
    return this.#waiting.shift();
  }

  /** The next message; undefined at the end. */
  async next(): Promise<Record<string, unknown> | undefined> {
    for (;;) {
      const event = await this.nextEvent();
      if (event === undefined) return undefined;
      if (event.data) return JSON.parse(event.data) as Record<string, unknown>;
    }
  }

  /** Everything up to the end. */
  async rest(): Promise<Event[]> {
    const events: Event[] = [];
    for (let event = await this.nextEvent(); event !== undefined; event = await this.nextEvent()) events.push(event);
    return events;
  }

  /** Every message up to the end. */
  async messages(): Promise<Record<string, unknown>[]> {
    const events = await this.rest();
    return events.flatMap(({ data }) => (data ? [JSON.parse(data) as Record<string, unknown>] : []));
  }

  /** Goes away. */
  async leave(): Promise<void> {
    await this.#reader.cancel().catch(() => undefined);
  }

  #take(text: string): void {
    const blocks = (this.#rest + text).split("\n\n");
    this.#rest = blocks.pop() as string;
    for (const block of blocks) this.#waiting.push(toEvent(block));
  }
}

function toEvent(block: string): Event {
  const fields = block.split("\n").map((line): [string, string] => {
    const at = line.indexOf(":");
    return [line.slice(0, at) || "comment", line.slice(at + 1).replace(/^ /, "")];
  });
  return Object.fromEntries(fields);
}
