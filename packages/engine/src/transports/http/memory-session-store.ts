import type { HttpLimits } from "./limits.js";
import type { SessionRecord, SessionStore, StreamEvent } from "./session-store.js";

/** Keeps sessions and their latest events in memory, for one process. */
export class MemorySessionStore implements SessionStore {
  readonly #most: Pick<HttpLimits, "eventsKept" | "eventBytes">;
  readonly #records = new Map<string, SessionRecord>();
  /** The events of each session, oldest first; sessions in the order of their latest event. */
  readonly #events = new Map<string, StreamEvent[]>();
  #bytes = 0;

  constructor(most: Pick<HttpLimits, "eventsKept" | "eventBytes">) {
    this.#most = most;
  }

  save(record: SessionRecord): void {
    this.#records.set(record.id, record);
  }

  find(id: string): SessionRecord | undefined {
    return this.#records.get(id);
  }

  delete(id: string): void {
    this.#records.delete(id);
    for (const event of this.#events.get(id) ?? []) this.#bytes -= sizeOf(event);
    this.#events.delete(id);
  }

  append(id: string, event: StreamEvent): void {
    if (!this.#records.has(id)) return;
    const events = this.#events.get(id) ?? [];
    events.push(event);
    this.#bytes += sizeOf(event);
    if (events.length > this.#most.eventsKept) this.#bytes -= sizeOf(events.shift() as StreamEvent);
    this.#events.delete(id);
    this.#events.set(id, events);
    if (this.#bytes > this.#most.eventBytes) this.#forgetOldest();
  }

  eventsAfter(id: string, stream: string, number: number): readonly StreamEvent[] {
    return (this.#events.get(id) ?? []).filter((event) => event.stream === stream && event.number > number);
  }

  /** Of the sessions whose latest event is oldest, the oldest events go. */
  #forgetOldest(): void {
    for (const [id, events] of this.#events) {
      while (events.length > 0 && this.#bytes > this.#most.eventBytes)
        this.#bytes -= sizeOf(events.shift() as StreamEvent);
      if (events.length > 0) return;
      this.#events.delete(id);
    }
  }
}

const sizeOf = ({ message }: StreamEvent): number => message.length;
