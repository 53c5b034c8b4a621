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

/**
 * The requests of a session that are being served, by id. Most are answered within the turn in which they came, so only
 * their ids are noted at once: a map of short-lived requests costs more in garbage collection than all else in a call.
 */
export class RunningRequests {
  readonly #ids = new Set<Id>();
  readonly #lasting = new Map<Id, Running>();
  #fresh: Running[] = [];

  has(id: Id): boolean {
    return this.#ids.has(id);
  }

  find(id: Id): Running | undefined {
    return this.#lasting.get(id) ?? this.#fresh.find((request) => request.id === id && !request.isDone);
  }

  add(request: Running): void {
    this.#ids.add(request.id);
    if (this.#fresh.length === 0) setImmediate(() => this.#sort());
    this.#fresh.push(request);
  }

  delete({ id }: Running): void {
    this.#ids.delete(id);
    if (this.#lasting.size > 0) this.#lasting.delete(id);
  }

  all(): Running[] {
    return [...this.#lasting.values(), ...this.#fresh.filter((request) => !request.isDone)];
  }

  #sort(): void {
    const fresh = this.#fresh;
    this.#fresh = [];
    for (const request of fresh) {
      // One that was answered with a task in the meantime goes on, but is no request any more.
      if (request.isDone || !this.#ids.has(request.id)) continue;
      this.#lasting.set(request.id, request);
      request.outlivesTurn();
    }
  }
}
