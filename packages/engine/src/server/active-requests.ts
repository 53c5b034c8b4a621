import type { RpcError } from "../jsonrpc/errors.js";
import type { RequestId } from "../jsonrpc/messages.js";

/** A request without a response so far. */
export interface ActiveRequest {
  readonly id: RequestId;
  readonly isDone: boolean;
  readonly request: { readonly method: string };
  /** The name of the tool or prompt, or the URI of the resource; empty for other methods. */
  readonly name: string;
  /** When its handler was first seen running; 0 = not yet. */
  readonly startedAt: number;
  /** Ends it properly if it would otherwise last forever, as a subscription does. */
  readonly conclude: (() => void) | undefined;
  /** Called when it outlived the event-loop turn in which it arrived. */
  onLongRunning(): void;
  /** Stops it and responds with this error. */
  abortWith(error: RpcError): void;
  /** Stops it without a response. */
  cancel(reason: string): void;
}

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

const NONE: ActiveRequest[] = [];

/**
 * The requests of a session that have no response yet, by id. Most are answered in the turn in which they arrive, so only
 * their ids are stored at first: a map of short-lived requests would cost more in garbage collection than the rest of a call.
 * Over HTTP each request may have its own session, so a single request is not even put into a set.
 */
export class ActiveRequests {
  /** How many requests have no response yet. */
  size = 0;
  readonly #turns: TurnQueue;
  #single: ActiveRequest | undefined;
  #ids: Set<RequestId> | undefined;
  #longRunning: Map<RequestId, ActiveRequest> | undefined;
  #fresh: ActiveRequest[] = NONE;

  constructor(turns: TurnQueue) {
    this.#turns = turns;
  }

  has(id: RequestId): boolean {
    return this.#single?.id === id || this.#ids?.has(id) === true;
  }

  find(id: RequestId): ActiveRequest | undefined {
    if (this.#single?.id === id) return this.#single;
    return this.#longRunning?.get(id) ?? this.#fresh.find((request) => request.id === id && !request.isDone);
  }

  add(request: ActiveRequest): void {
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

  delete(request: ActiveRequest): void {
    this.size -= 1;
    if (this.#single === request) this.#single = undefined;
    else this.#ids?.delete(request.id);
    if (this.#longRunning !== undefined && this.#longRunning.size > 0) this.#longRunning.delete(request.id);
  }

  all(): ActiveRequest[] {
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
