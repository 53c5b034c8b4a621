import type { RpcError } from "../jsonrpc/errors.js";
import type { Id } from "../jsonrpc/messages.js";

/** A request that is being served. */
export interface Running {
  readonly id: Id;
  readonly isDone: boolean;
  /** It was not answered within the turn of the event loop in which it came. */
  outlivesTurn(): void;
  readonly request: { readonly method: string };
  /** The name of the tool or prompt, or the URI of the resource; empty for other methods. */
  readonly name: string;
  /** When it began to run; 0 = it has not. */
  readonly startedAt: number;
  /** Stops it; the answer is this error. */
  cutOff(error: RpcError): void;
  /** Stops it; no answer is sent. */
  cancel(reason: string): void;
  /** Ends it in good order if it would last for ever, as a subscription does. */
  readonly conclude: (() => void) | undefined;
}

const NONE: Running[] = [];

/** The sessions with requests that came in this turn: one look at its end serves them all. */
let turn: RunningRequests[] = [];

function endTurn(): void {
  const sessions = turn;
  turn = [];
  for (const session of sessions) session.sort();
}

/**
 * The requests of a session that are being served, by id. Most are answered within the turn in which they came, so only
 * their ids are noted at once: a map of short-lived requests costs more in garbage collection than all else in a call. Over
 * HTTP each request may be a session of its own, so a request that is alone is not even put into a set.
 */
export class RunningRequests {
  #alone: Running | undefined;
  #ids: Set<Id> | undefined;
  #lasting: Map<Id, Running> | undefined;
  #fresh: Running[] = NONE;

  /** Whether anything is being served. */
  get isBusy(): boolean {
    return this.#alone !== undefined || (this.#ids !== undefined && this.#ids.size > 0);
  }

  has(id: Id): boolean {
    return this.#alone?.id === id || this.#ids?.has(id) === true;
  }

  find(id: Id): Running | undefined {
    if (this.#alone?.id === id) return this.#alone;
    return this.#lasting?.get(id) ?? this.#fresh.find((request) => request.id === id && !request.isDone);
  }

  add(request: Running): void {
    if (!this.isBusy) this.#alone = request;
    else {
      this.#ids ??= new Set();
      this.#ids.add(request.id);
    }
    if (this.#fresh.length > 0) {
      this.#fresh.push(request);
      return;
    }
    this.#fresh = [request];
    if (turn.length === 0) setImmediate(endTurn);
    turn.push(this);
  }

  delete(request: Running): void {
    if (this.#alone === request) this.#alone = undefined;
    else this.#ids?.delete(request.id);
    if (this.#lasting !== undefined && this.#lasting.size > 0) this.#lasting.delete(request.id);
  }

  all(): Running[] {
    if (!this.isBusy) return NONE;
    return [...(this.#lasting?.values() ?? NONE), ...this.#fresh.filter((request) => !request.isDone)];
  }

  /** The turn is over: what came in it and was not answered lasts. */
  sort(): void {
    const fresh = this.#fresh;
    this.#fresh = NONE;
    for (const request of fresh) {
      // One that was answered with a task in the meantime goes on, but is no request any more.
      if (request.isDone || !this.has(request.id)) continue;
      this.#lasting ??= new Map();
      this.#lasting.set(request.id, request);
      request.outlivesTurn();
    }
  }
}
