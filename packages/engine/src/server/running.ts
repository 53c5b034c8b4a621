import type { Id } from "../jsonrpc/messages.js";

/** A request that is being served. */
export interface Running {
  readonly id: Id;
  readonly isDone: boolean;
  /** It was not answered within the turn of the event loop in which it came. */
  outlivesTurn(): void;
  /** Stops it; no answer is sent. */
  cancel(reason: string): void;
  /** Ends it in good order if it would last for ever, as a subscription does. */
  conclude(): void;
}

const NONE: Running[] = [];

/**
 * The requests of a session that are being served, by id. Most are answered within the turn in which they came, so only
 * their ids are noted at once: a map of short-lived requests costs more in garbage collection than all else in a call.
 */
export class RunningRequests {
  // Made when they are needed: over HTTP each request may be a session of its own.
  #ids: Set<Id> | undefined;
  #lasting: Map<Id, Running> | undefined;
  #fresh: Running[] = NONE;

  /** Whether anything is being served. */
  get isBusy(): boolean {
    return this.#ids !== undefined && this.#ids.size > 0;
  }

  has(id: Id): boolean {
    return this.#ids?.has(id) === true;
  }

  find(id: Id): Running | undefined {
    return this.#lasting?.get(id) ?? this.#fresh.find((request) => request.id === id && !request.isDone);
  }

  add(request: Running): void {
    this.#ids ??= new Set();
    this.#ids.add(request.id);
    if (this.#fresh.length > 0) this.#fresh.push(request);
    else {
      this.#fresh = [request];
      setImmediate(() => this.#sort());
    }
  }

  delete({ id }: Running): void {
    this.#ids?.delete(id);
    if (this.#lasting !== undefined && this.#lasting.size > 0) this.#lasting.delete(id);
  }

  all(): Running[] {
    if (!this.isBusy) return NONE;
    return [...(this.#lasting?.values() ?? NONE), ...this.#fresh.filter((request) => !request.isDone)];
  }

  #sort(): void {
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
