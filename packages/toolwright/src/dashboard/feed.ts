import type { PageEvents, PageStream } from "@toolwright/engine";
import type { Desk } from "../packs/todo/desk.js";

/** Browsers that are told of changes at once; further ones look by themselves. */
const MOST_STREAMS = 200;

/** Tells browsers that something has changed, whichever process did it. The database is watched as long as somebody listens. */
export class Feed {
  readonly #desk: Desk;
  readonly #streams = new Set<PageStream>();
  #stop: (() => void) | undefined;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  get isFull(): boolean {
    return this.#streams.size >= MOST_STREAMS;
  }

  /** A stream that begins with the place of the last event there is, and then has that of each further one. */
  events(): PageEvents {
    return {
      open: (stream) => {
        this.#streams.add(stream);
        stream.write("retry: 2000\n\n");
        void this.#begin(stream);
        return () => this.#leave(stream);
      },
    };
  }

  /** Ends every stream. */
  close(): void {
    for (const stream of this.#streams) stream.end();
    this.#rest();
  }

  async #begin(stream: PageStream): Promise<void> {
    try {
      const ledger = await this.#desk.ledger();
      // It may have gone meanwhile.
      if (!this.#streams.has(stream)) return;
      this.#stop ??= ledger.watch((seq) => this.#tell(seq));
      const seq = await newestSeq(this.#desk);
      if (this.#streams.has(stream)) stream.write(toEvent(seq));
    } catch (error) {
      this.#desk.host.log({ level: "error", message: "the dashboard cannot watch the tasks", error });
      stream.end();
    }
  }

  #tell(seq: number): void {
    const event = toEvent(seq);
    for (const stream of this.#streams) stream.write(event);
  }

  #leave(stream: PageStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size === 0) this.#rest();
  }

  #rest(): void {
    this.#stop?.();
    this.#stop = undefined;
  }
}

const toEvent = (seq: number): string => `event: changed\nid: ${seq}\ndata: ${seq}\n\n`;

/** The place of the last event: who has seen it has seen all. */
export async function newestSeq(desk: Desk): Promise<number> {
  const ledger = await desk.ledger();
  const row = await ledger.read((sql) => sql.get("SELECT max(seq) AS seq FROM events"));
  return Number(row?.["seq"] ?? 0);
}
