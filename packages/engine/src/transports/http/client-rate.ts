import { lookAtClock } from "../../server/clock.js";
import type { Verified } from "./gate.js";
import type { HttpRequest } from "./host.js";
import type { HttpRate } from "./options.js";

/** Whose rate a request spends: that of whoever sends it, in words that no address can be taken for. */
export const clientOf = (request: HttpRequest, { principal }: Verified): string =>
  principal === undefined ? peerOf(request) : `principal ${principal}`;

/** Whose rate it spends while nobody knows who sends it. */
export const peerOf = ({ peer }: HttpRequest): string => peer ?? "unknown";

/** What is left to one client. */
interface Bucket {
  tokens: number;
  filledAt: number;
}

/** A token bucket for each client, and for so many clients; of more, those that have not come for longest are forgotten. */
export class ClientRate {
  readonly #rate: HttpRate;
  readonly #mostClients: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(rate: HttpRate, mostClients: number) {
    this.#rate = rate;
    this.#mostClients = mostClients;
  }

  /** Takes a token of a client. Gives the milliseconds after which there will be one, 0 = there was one. */
  take(client: string): number {
    const bucket = this.#fill(client);
    if (bucket.tokens < 1) return this.#wait(bucket);
    bucket.tokens -= 1;
    return 0;
  }

  /** Gives the same, and takes nothing. */
  look(client: string): number {
    return this.#buckets.has(client) ? this.#wait(this.#fill(client)) : 0;
  }

  #wait({ tokens }: Bucket): number {
    return Math.ceil((Math.max(0, 1 - tokens) / this.#rate.perSecond) * 1000);
  }

  #fill(client: string): Bucket {
    const now = lookAtClock();
    const { burst, perSecond } = this.#rate;
    let bucket = this.#buckets.get(client);
    if (bucket === undefined) {
      bucket = { tokens: burst, filledAt: now };
      if (this.#buckets.size >= this.#mostClients) this.#forget(now);
      this.#buckets.set(client, bucket);
      return bucket;
    }
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.filledAt) / 1000) * perSecond);
    bucket.filledAt = now;
    return bucket;
  }

  /** Full buckets say nothing, so they go first; where all say something, the oldest goes. */
  #forget(now: number): void {
    const { burst, perSecond } = this.#rate;
    for (const [client, { tokens, filledAt }] of this.#buckets)
      if (tokens + ((now - filledAt) / 1000) * perSecond >= burst) this.#buckets.delete(client);
    for (const client of this.#buckets.keys()) {
      if (this.#buckets.size < this.#mostClients) break;
      this.#buckets.delete(client);
    }
  }
}
