import { reserveOf } from "./quota.js";

/**
 * Places that clients share, such as connections or event streams. Clients that hold none may exceed the limit, by an eighth in all,
 * so that no client can hold all places while another one needs one.
 */
export class SharedPlaces {
  readonly #limit: () => number;
  readonly #held = new Map<unknown, number>();
  #total = 0;

  /** `limit` is read whenever a place is taken, because limits can change. */
  constructor(limit: () => number) {
    this.#limit = limit;
  }

  /** Whether there is a place for a client. */
  hasPlaceFor(client: unknown): boolean {
    const limit = this.#limit();
    return this.#total < limit || (!this.#held.has(client) && this.#total < limit + reserveOf(limit));
  }

  /** Takes a place for a client, even if there is none. */
  take(client: unknown): void {
    this.#held.set(client, (this.#held.get(client) ?? 0) + 1);
    this.#total += 1;
  }

  /** Returns a place that a client took. */
  release(client: unknown): void {
    const held = (this.#held.get(client) ?? 0) - 1;
    if (held > 0) this.#held.set(client, held);
    else this.#held.delete(client);
    this.#total -= 1;
  }
}
