import type { LogEntry } from "@toolwright/engine";
import type { PageEventStream, PageStreamWriter } from "@toolwright/engine/http";
import type { ChangeFeed } from "@toolwright/kit/pages";

/** More browsers get no stream and reload pages by hand. */
const MAX_STREAMS = 200;

/** Notifies browsers of changes. The data is watched only while a browser listens. */
export class EventFeed {
  readonly #feeds: () => readonly ChangeFeed[];
  readonly #log: (entry: LogEntry) => void;
  readonly #streams = new Set<PageStreamWriter>();
  readonly #stops = new Map<ChangeFeed, () => void>();
  /** The changes of feeds that do not count them. */
  readonly #counts = new Map<ChangeFeed, number>();

  constructor(feeds: () => readonly ChangeFeed[], log: (entry: LogEntry) => void) {
    this.#feeds = feeds;
    this.#log = log;
  }

  get isFull(): boolean {
    return this.#streams.size >= MAX_STREAMS;
  }

  /** A number that every change increases; undefined if there is nothing that can change, or nothing can be read. */
  async position(): Promise<number | undefined> {
    const positions = await Promise.all(
      this.#feeds().map(async (feed) => feed.position?.().catch(() => undefined) ?? this.#counts.get(feed) ?? 0),
    );
    const known = positions.filter((position) => position !== undefined);
    return known.length === 0 ? undefined : known.reduce((sum, position) => sum + position, 0);
  }

  /** A stream of the position now and after each change. */
  open(): PageEventStream {
    return {
      open: (stream) => {
        this.#streams.add(stream);
        stream.write("retry: 2000\n\n");
        void this.#start(stream);
        return () => {
          this.#streams.delete(stream);
          if (this.#streams.size === 0) this.#stopWatching();
        };
      },
    };
  }

  /** Ends all streams. */
  close(): void {
    for (const stream of this.#streams) stream.end();
    this.#stopWatching();
  }

  async #start(stream: PageStreamWriter): Promise<void> {
    for (const feed of this.#feeds())
      if (!this.#stops.has(feed))
        this.#stops.set(
          feed,
          feed.watch(() => this.#onChange(feed)),
        );
    await this.#checkFeeds();
    const position = await this.position();
    if (!this.#streams.has(stream)) return;
    if (position === undefined) stream.end();
    else stream.write(toEvent(position));
  }

  /** Logs what cannot be watched; the pages themselves show an error. */
  async #checkFeeds(): Promise<void> {
    for (const feed of this.#feeds()) {
      try {
        await feed.position?.();
      } catch (error) {
        this.#log({ level: "error", message: "the dashboard cannot watch what it shows", error });
      }
    }
  }

  #onChange(feed: ChangeFeed): void {
    this.#counts.set(feed, (this.#counts.get(feed) ?? 0) + 1);
    void this.position().then((position) => {
      if (position !== undefined) for (const stream of this.#streams) stream.write(toEvent(position));
    });
  }

  #stopWatching(): void {
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
  }
}

const toEvent = (position: number): string => `event: changed\nid: ${position}\ndata: ${position}\n\n`;
