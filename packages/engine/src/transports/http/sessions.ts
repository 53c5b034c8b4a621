import { randomUUID } from "node:crypto";
import { monotonic } from "../../server/clock.js";
import type { Server } from "../../server/server.js";
import { HttpSession } from "./http-session.js";
import type { HttpLimits } from "./limits.js";
import { MemorySessionStore } from "./memory-session-store.js";
import type { SessionRecord, SessionStore } from "./session-store.js";

/** The sessions of this process: found by id and owner, and ended when they are idle for long or too many. */
export class Sessions {
  readonly #server: Server;
  readonly #store: SessionStore;
  /** Other processes may know what this one does not. */
  readonly #isShared: boolean;
  readonly #limits: HttpLimits;
  readonly #live = new Map<string, HttpSession>();
  /** The ids of sessions that their clients have ended, while their store may still have them. */
  readonly #ending = new Set<string>();
  #reaping: NodeJS.Timeout | undefined;

  constructor(server: Server, store: SessionStore, limits: HttpLimits) {
    this.#server = server;
    this.#store = store;
    this.#isShared = !(store instanceof MemorySessionStore);
    this.#limits = limits;
  }

  /** A session that is not one yet: its handshake is being served. */
  begin(principal: string | undefined): HttpSession {
    return new HttpSession(this.#server, { id: randomUUID(), principal }, this.#store, "", this.#dismiss);
  }

  /** Keeps a session after its handshake. False = there is no room for it. */
  async keep(session: HttpSession): Promise<boolean> {
    const { id, principal } = session;
    const { agreed } = session.session;
    if (agreed === undefined || !this.#makeRoom()) return false;
    this.#add(session);
    try {
      await this.#store.save({ id, principal, agreed });
    } catch (error) {
      this.#live.delete(id);
      throw error;
    }
    return true;
  }

  /** The session with this id, if it belongs to whoever asks. */
  find(id: string, principal: string | undefined): HttpSession | undefined | Promise<HttpSession | undefined> {
    const live = this.#live.get(id);
    if (live !== undefined && (live.principal !== principal || live.session.isClosed)) return undefined;
    live?.touch();
    return this.#isShared ? this.#recall(id, principal, live) : live;
  }

  /** Ends a session for good. */
  async end(session: HttpSession, why: "ended" | "idle" = "ended"): Promise<void> {
    this.#live.delete(session.id);
    session.close();
    // One that was only idle here may be taken up again.
    if (why === "ended") this.#ending.add(session.id);
    try {
      await this.#store.delete(session.id, why);
    } finally {
      this.#ending.delete(session.id);
    }
  }

  /** Nothing more is served here; what the store keeps, others may serve. */
  close(): void {
    clearInterval(this.#reaping);
    this.#reaping = undefined;
    for (const session of this.#live.values()) session.close();
    this.#live.clear();
  }

  /** The client says nothing more: what lasts for ever ends in good order. */
  conclude(): void {
    for (const { session } of this.#live.values()) session.end("the server stops");
  }

  /** Asks the store: another process may have opened or ended the session. */
  async #recall(
    id: string,
    principal: string | undefined,
    known: HttpSession | undefined,
  ): Promise<HttpSession | undefined> {
    let record: SessionRecord | undefined;
    try {
      record = await this.#store.find(id);
    } catch (error) {
      // What is known here is served all the same.
      if (known === undefined) throw error;
      return known.session.isClosed ? undefined : known;
    }
    // It may have ended while its record was looked up.
    if (known?.session.isClosed) return undefined;
    // Two requests may have looked at the same time.
    const live = this.#live.get(id);
    if (record === undefined && live !== undefined) this.#dismiss(live);
    if (record === undefined || record.principal !== principal || this.#ending.has(id)) return undefined;
    if (live !== undefined || !this.#makeRoom()) return live;
    const mark = `${randomUUID().slice(0, 8)}.`;
    const session = new HttpSession(this.#server, record, this.#store, mark, this.#dismiss);
    this.#add(session);
    return session;
  }

  #add(session: HttpSession): void {
    this.#live.set(session.id, session);
    const { sessionIdleMs } = this.#limits;
    this.#reaping ??= setInterval(() => this.#reap(), Math.min(sessionIdleMs / 2, 60_000)).unref();
  }

  #reap(): void {
    const since = monotonic() - this.#limits.sessionIdleMs;
    for (const session of this.#live.values()) if (!session.isBusy && session.usedAt < since) this.#dismiss(session);
    if (this.#live.size > 0) return;
    clearInterval(this.#reaping);
    this.#reaping = undefined;
  }

  /** Whether one more fits; the session that has been idle longest goes for it. */
  #makeRoom(): boolean {
    if (this.#live.size < this.#limits.sessions) return true;
    let oldest: HttpSession | undefined;
    for (const session of this.#live.values())
      if (!session.isBusy && session.usedAt < (oldest?.usedAt ?? Number.POSITIVE_INFINITY)) oldest = session;
    if (oldest === undefined) return false;
    this.#server.log({ level: "notice", message: "a session makes room for a new one: there are too many" });
    this.#dismiss(oldest);
    return true;
  }

  readonly #dismiss = (session: HttpSession): void => {
    this.end(session, "idle").catch((error: unknown) =>
      this.#server.log({ level: "error", message: "a session could not be deleted from its store", error }),
    );
  };
}
