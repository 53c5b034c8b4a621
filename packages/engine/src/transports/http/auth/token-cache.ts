import { monotonic } from "../../../server/clock.js";
import type { Verified } from "../gate.js";

const MOST_TOKENS = 10_000;

interface Known {
  readonly verified: Verified;
  /** By the clock on the wall, as the token has it. */
  readonly expiresAt: number;
  /** By the clock that nobody can set back. */
  readonly believedUntil: number;
}

/** Remembers for a while which tokens were good, by their hashes: the tokens themselves are kept nowhere. */
export class TokenCache {
  readonly #kept = new Map<string, Known>();

  find(hash: string): Verified | undefined {
    const entry = this.#kept.get(hash);
    if (entry === undefined) return undefined;
    if (Date.now() < entry.expiresAt && monotonic() < entry.believedUntil) return entry.verified;
    this.#kept.delete(hash);
    return undefined;
  }

  keep(hash: string, verified: Verified, expiresAt: number, believedMs: number): void {
    // The one that came first goes; it is verified again when it comes back.
    if (this.#kept.size >= MOST_TOKENS) this.#kept.delete(this.#kept.keys().next().value ?? "");
    this.#kept.set(hash, { verified, expiresAt, believedUntil: monotonic() + believedMs });
  }
}
