import { randomUUID } from "node:crypto";
import type { Negotiated } from "../../server/connection.js";
import { monotonicNow } from "../../server/runtime.js";
import type { Server } from "../../server/server.js";
import { HttpSession } from "./http-session.js";
import type { HttpLimits } from "./options.js";

/** A session as a store keeps it, so that any process can continue it. */
export interface SessionRecord {
  readonly id: string;
  /** The owner of the session; nobody else may use it. */
  readonly principal: string | undefined;
  /** The result of the handshake. */
  readonly negotiated: Negotiated;
}

/** A stored message of a stream, for a client that resumes the stream. */
export interface StreamEvent {
  readonly stream: string;
  /** Increases within the stream. */
  readonly number: number;
  readonly message: string;
  /** Whether the stream ends with this event. */
  readonly isLast: boolean;
}

/**
 * Stores sessions and their latest events, so that several processes can serve the same sessions.
 *
 * @example
 * ```ts
 * await serveHttp(server, { sessions: { store: new RedisSessionStore(client) } });
 * ```
 */
export interface SessionStore {
  save(record: SessionRecord): void | Promise<void>;
  find(id: string): SessionRecord | undefined | Promise<SessionRecord | undefined>;
  /** Deletes a session and its events. */
  delete(id: string, reason: "ended" | "idle"): void | Promise<void>;
  append(id: string, event: StreamEvent): void | Promise<void>;
  /** Returns the stored events of a stream after this number, in order. */
  eventsAfter(id: string, stream: string, number: number): readonly StreamEvent[] | Promise<readonly StreamEvent[]>;
}

/** Keeps sessions and their latest events in memory, for a single process. */
export class MemorySessionStore implements SessionStore {
  readonly #limits: Pick<HttpLimits, "eventsKept" | "eventBytes">;
  readonly #records = new Map<string, SessionRecord>();
  /** The events of each session, oldest first. The session with the latest event is last. */
  readonly #events = new Map<string, StreamEvent[]>();
  #bytes = 0;

  constructor(limits: Pick<HttpLimits, "eventsKept" | "eventBytes">) {
    this.#limits = limits;
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
    if (events.length > this.#limits.eventsKept) this.#bytes -= sizeOf(events.shift() as StreamEvent);
    this.#events.delete(id);
    this.#events.set(id, events);
    if (this.#bytes > this.#limits.eventBytes) this.#evictOldest();
  }

  eventsAfter(id: string, stream: string, number: number): readonly StreamEvent[] {
    return (this.#events.get(id) ?? []).filter((event) => event.stream === stream && event.number > number);
  }

  /** Deletes the oldest events of the least recently active sessions. */
  #evictOldest(): void {
    for (const [id, events] of this.#events) {
      while (events.length > 0 && this.#bytes > this.#limits.eventBytes)
        this.#bytes -= sizeOf(events.shift() as StreamEvent);
      if (events.length > 0) return;
      this.#events.delete(id);
    }
  }
}

const sizeOf = ({ message }: StreamEvent): number => message.length;

/** How often idle sessions are looked for, at most. */
const MAX_REAP_INTERVAL_MS = 60_000;

/** The sessions of this process: finds them by id and owner, and closes idle ones. */
export class SessionManager {
  readonly server: Server;
  readonly store: SessionStore;
  /** Whether other processes may use the same store. */
  readonly #isShared: boolean;
  readonly #limits: HttpLimits;
  readonly #sessions = new Map<string, HttpSession>();
  #reapTimer: NodeJS.Timeout | undefined;

  constructor(server: Server, store: SessionStore | undefined, limits: HttpLimits) {
    this.server = server;
    this.store = store ?? new MemorySessionStore(limits);
    this.#isShared = store !== undefined;
    this.#limits = limits;
  }

  /** Creates a session for a handshake; `register` adds it once the handshake has succeeded. */
  create(principal: string | undefined, address: string | undefined): HttpSession {
    return new HttpSession(this, { id: randomUUID(), principal, address });
  }

  /** Adds and stores a session after its handshake. Returns false if the limit is reached. */
  async register(session: HttpSession): Promise<boolean> {
    const { id, principal } = session;
    const { negotiated } = session.session;
    if (negotiated === undefined || !this.#makeRoom()) return false;
    this.#add(session);
    try {
      await this.store.save({ id, principal, negotiated });
    } catch (error) {
      this.#sessions.delete(id);
      throw error;
    }
    return true;
  }

  /** Finds a session by its id, if it belongs to this principal. */
  find(id: string, principal: string | undefined): HttpSession | undefined | Promise<HttpSession | undefined> {
    const live = this.#sessions.get(id);
    if (live !== undefined) {
      if (live.principal !== principal || live.session.isClosed) return undefined;
      live.session.lastSeenAt = monotonicNow();
    }
    return this.#isShared ? this.#restore(id, principal, live) : live;
  }

  /** Closes a session and deletes it from the store. An idle session may be restored from a shared store. */
  async end(session: HttpSession, reason: "ended" | "idle" = "ended"): Promise<void> {
    this.#sessions.delete(session.id);
    session.close();
    await this.store.delete(session.id, reason);
  }

  /** Closes a session whose client is idle or no longer answers. */
  expire(session: HttpSession): void {
    this.end(session, "idle").catch((error: unknown) =>
      this.server.log({ level: "error", message: "a session could not be deleted from the session store", error }),
    );
  }

  /** Closes all sessions of this process; they stay in the store for other processes. */
  close(): void {
    clearInterval(this.#reapTimer);
    for (const session of this.#sessions.values()) session.close();
    this.#sessions.clear();
  }

  /** Ends subscriptions and pending input requests of all sessions; running calls may finish. */
  endAll(): void {
    for (const { session } of this.#sessions.values()) session.end("the server is shutting down");
  }

  /** Looks a session up in the store, because another process may have opened or ended it. */
  async #restore(
    id: string,
    principal: string | undefined,
    current: HttpSession | undefined,
  ): Promise<HttpSession | undefined> {
    let record: SessionRecord | undefined;
    try {
      record = await this.store.find(id);
    } catch (error) {
      // If the store fails, sessions of this process are still served.
      if (current === undefined) throw error;
      return current.session.isClosed ? undefined : current;
    }
    // The session may have ended during the lookup.
    if (current?.session.isClosed) return undefined;
    // A concurrent request may have restored the session.
    const live = this.#sessions.get(id);
    if (record === undefined && live !== undefined) this.expire(live);
    if (record === undefined || record.principal !== principal) return undefined;
    if (live !== undefined || !this.#makeRoom()) return live;
    const session = new HttpSession(this, record, `${randomUUID().slice(0, 8)}.`);
    this.#add(session);
    return session;
  }

  #add(session: HttpSession): void {
    this.#sessions.set(session.id, session);
    const intervalMs = Math.min(this.#limits.sessionIdleMs / 2, MAX_REAP_INTERVAL_MS);
    this.#reapTimer ??= setInterval(() => this.#reap(), intervalMs).unref();
  }

  #reap(): void {
    const idleSince = monotonicNow() - this.#limits.sessionIdleMs;
    for (const session of this.#sessions.values())
      if (!session.isBusy && session.session.lastSeenAt < idleSince) this.expire(session);
    if (this.#sessions.size > 0) return;
    clearInterval(this.#reapTimer);
    this.#reapTimer = undefined;
  }

  /**
   * If the limit is reached, closes the longest idle session of the client with the most idle sessions, so that nobody loses a session to a
   * client that opens many. Returns false if no session is idle.
   */
  #makeRoom(): boolean {
    if (this.#sessions.size < this.#limits.sessions) return true;
    const idle = new Map<string, { readonly oldest: HttpSession; readonly count: number }>();
    for (const each of this.#sessions.values()) {
      if (each.isBusy) continue;
      const { oldest = each, count = 0 } = idle.get(each.owner) ?? {};
      const isOlder = each.session.lastSeenAt < oldest.session.lastSeenAt;
      idle.set(each.owner, { oldest: isOlder ? each : oldest, count: count + 1 });
    }
    const [first, ...rest] = idle.values();
    if (first === undefined) return false;
    const { oldest } = rest.reduce((most, each) => {
      if (each.count !== most.count) return each.count > most.count ? each : most;
      return each.oldest.session.lastSeenAt < most.oldest.session.lastSeenAt ? each : most;
    }, first);
    this.server.log({ level: "notice", message: "an idle session was closed to make room for a new one" });
    this.expire(oldest);
    return true;
  }
}
