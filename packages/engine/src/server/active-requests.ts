import type { RequestId } from "../jsonrpc/messages.js";
import type { RequestContext } from "./request-context.js";

/** Calls back at the end of an event-loop turn, once for all sessions that got requests in it. One per server. */
export class TurnQueue {
  #sessions: ActiveRequests[] = [];

  add(session: ActiveRequests): void {
    if (this.#sessions.length === 0) setImmediate(() => this.#endTurn());
    this.#sessions.push(session);
  }

  #endTurn(): void {
    const sessions = this.#sessions;
    this.#sessions = [];
    for (const session of sessions) session.endTurn();
  }
}

const NONE: RequestContext[] = [];

/**
 * The requests of a session that have no response yet, by id. Most are answered in the turn in which they arrive, so only
 * their ids are stored at first: a map of short-lived requests would cost more in garbage collection than the rest of a call.
 * Over HTTP each request may have its own session, so a single request is not even put into a set.
 */
export class ActiveRequests {
  /** How many requests have no response yet. */
  size = 0;
  readonly #turns: TurnQueue;
  #single: RequestContext | undefined;
  #ids: Set<RequestId> | undefined;
  #longRunning: Map<RequestId, RequestContext> | undefined;
  #fresh: RequestContext[] = NONE;

  constructor(turns: TurnQueue) {
    this.#turns = turns;
  }

  has(id: RequestId): boolean {
    return this.#single?.id === id || this.#ids?.has(id) === true;
  }

  find(id: RequestId): RequestContext | undefined {
    if (this.#single?.id === id) return this.#single;
    return this.#longRunning?.get(id) ?? this.#fresh.find((request) => request.id === id && !request.isDone);
  }

  add(request: RequestContext): void {
    if (this.size === 0) this.#single = request;
    else (this.#ids ??= new Set()).add(request.id);
    this.size += 1;
    if (this.#fresh.length > 0) {
      this.#fresh.push(request);
      return;
    }
    this.#fresh = [request];
    this.#turns.add(this);
  }

  delete(request: RequestContext): void {
    this.size -= 1;
    if (this.#single === request) this.#single = undefined;
    else this.#ids?.delete(request.id);
    if (this.#longRunning !== undefined && this.#longRunning.size > 0) this.#longRunning.delete(request.id);
  }

  all(): RequestContext[] {
    if (this.size === 0) return NONE;
    return [...(this.#longRunning?.values() ?? NONE), ...this.#fresh.filter((request) => !request.isDone)];
  }

  /** Requests that arrived in this turn and are still active are long-running from now on. */
  endTurn(): void {
    const fresh = this.#fresh;
    this.#fresh = NONE;
    for (const request of fresh) {
      // A request that was answered with a task is no longer active, but its call continues.
      if (request.isDone || !this.has(request.id)) continue;
      (this.#longRunning ??= new Map()).set(request.id, request);
      request.onLongRunning();
    }
  }
}
