/** How much the newest call counts. */
const WEIGHT = 0.2;

/** How long what is known of a pace may be used to refuse calls before one of them is let in to find out anew. */
const TRUSTED_MS = 60_000;

/** How long calls take, in milliseconds: a mean in which the last ones count most. */
export class Pace {
  /** Not a number before the first call has ended. */
  meanMs = Number.NaN;
  #confirmedAt = 0;

  /** A call has ended. `isWhole`: it came to its end; otherwise it would have taken longer. */
  note(tookMs: number, isWhole: boolean, now: number): void {
    this.#confirmedAt = now;
    if (Number.isNaN(this.meanMs)) this.meanMs = tookMs;
    else if (isWhole || tookMs > this.meanMs) this.meanMs += (tookMs - this.meanMs) * WEIGHT;
  }

  /**
   * What one more call would take; not a number where that is to be found out. A pace that keeps all calls out would never
   * be put right, so every so often one of them may try.
   */
  expect(now: number): number {
    if (now - this.#confirmedAt <= TRUSTED_MS) return this.meanMs;
    this.#confirmedAt = now;
    return Number.NaN;
  }
}
