import type { PackHost } from "@toolwright/engine";
import type { PageEventStream, PageStreamWriter } from "@toolwright/engine/http";

/** What changes: a desk, a knowledge base. */
interface Changing {
  ledger(): Promise<{
    read<Result>(work: (sql: Asked) => Promise<Result>): Promise<Result>;
    watch(changed: (seq: number) => void): () => void;
  }>;
  readonly host: Pick<PackHost, "log">;
}

interface Asked {
  get(text: string): Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** Something that changes, and how the place of its last change is asked for. */
export interface Watched {
  readonly of: Changing;
  readonly newest: string;
}

/** Browsers that are told of changes at once; further ones look by themselves. */
const MOST_STREAMS = 200;

/** Tells browsers that something has changed, whichever process did it. The databases are watched as long as somebody listens. */
export class Feed {
  readonly #watched: readonly Watched[];
  readonly #streams = new Set<PageStreamWriter>();
  /** The place of the last change of each. */
  #seqs: number[] = [];
  #stops: (() => void)[] = [];

  constructor(watched: readonly Watched[]) {
    this.#watched = watched;
  }

  get isFull(): boolean {
    return this.#streams.size >= MOST_STREAMS;
  }

  /** A stream that begins with the place of the last change there is, and then has that of each further one. */
  events(): PageEventStream {
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

  async #begin(stream: PageStreamWriter): Promise<void> {
    const seen = await Promise.all(this.#watched.map((one, at) => this.#look(one, at, stream)));
    // Where nothing can be looked at, the pages say so themselves.
    if (!seen.includes(true)) stream.end();
    else if (this.#streams.has(stream)) stream.write(toEvent(sum(this.#seqs)));
  }

  /** Looks for the place of the last change; from now on all streams hear of further ones. Says whether that can be done. */
  async #look(watched: Watched, at: number, stream: PageStreamWriter): Promise<boolean> {
    const { of } = watched;
    try {
      const ledger = await of.ledger();
      // It may have gone meanwhile.
      if (this.#streams.has(stream)) this.#stops[at] ??= ledger.watch((seq) => this.#tell(at, seq));
      this.#seqs[at] = Math.max(this.#seqs[at] ?? 0, await readSeq(watched));
      return true;
    } catch (error) {
      of.host.log({ level: "error", message: "the dashboard cannot watch what it shows", error });
      return false;
    }
  }

  #tell(at: number, seq: number): void {
    this.#seqs[at] = seq;
    const event = toEvent(sum(this.#seqs));
    for (const stream of this.#streams) stream.write(event);
  }

  #leave(stream: PageStreamWriter): void {
    this.#streams.delete(stream);
    if (this.#streams.size === 0) this.#rest();
  }

  #rest(): void {
    for (const stop of this.#stops) stop?.();
    this.#stops = [];
  }
}

const toEvent = (seq: number): string => `event: changed\nid: ${seq}\ndata: ${seq}\n\n`;

/** Each change of any of them makes the sum larger: who has seen it has seen all. */
const sum = (seqs: readonly (number | undefined)[]): number => seqs.reduce<number>((all, seq) => all + (seq ?? 0), 0);

async function readSeq({ of, newest }: Watched): Promise<number> {
  const ledger = await of.ledger();
  const row = await ledger.read((sql) => sql.get(newest));
  return Number(row?.["seq"] ?? 0);
}

/** The place of the last change of all that can be looked at; undefined where nothing can. */
export async function newestSeq(watched: readonly Watched[]): Promise<number | undefined> {
  const seqs = await Promise.all(watched.map((one) => readSeq(one).catch(() => undefined)));
  return seqs.every((seq) => seq === undefined) ? undefined : sum(seqs);
}
