import type { Agreed } from "../../server/agreed.js";

/** What is kept of a session, for any process that shares the store. */
export interface SessionRecord {
  readonly id: string;
  /** Who opened it; nobody else may use it. */
  readonly principal: string | undefined;
  readonly agreed: Agreed;
}

/** A message of a stream, kept for a client that comes back. */
export interface StreamEvent {
  readonly stream: string;
  /** Counts up within the stream. */
  readonly number: number;
  readonly message: string;
  /** Nothing follows on this stream. */
  readonly isLast: boolean;
}

/** Where sessions and their latest events are kept. What is not there at once may come as a promise. */
export interface SessionStore {
  save(record: SessionRecord): void | Promise<void>;
  find(id: string): SessionRecord | undefined | Promise<SessionRecord | undefined>;
  /** Forgets a session and its events. */
  delete(id: string, why: "ended" | "idle"): void | Promise<void>;
  append(id: string, event: StreamEvent): void | Promise<void>;
  /** The events of a stream after this number, in order, as far as they are kept. */
  eventsAfter(id: string, stream: string, number: number): readonly StreamEvent[] | Promise<readonly StreamEvent[]>;
}
