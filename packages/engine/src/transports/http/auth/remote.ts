import { monotonic } from "../../../server/clock.js";

/** How long nobody asks again after somebody asked: neither wrong tokens nor an outage turn into a flood of requests. */
export const COOL_DOWN_MS = 10_000;
/** How long something old is better than nothing. */
const USABLE_MS = 24 * 3_600_000;

/**
 * Something that another server knows and that changes seldom: fetched when it is needed, kept while it is fresh, and kept longer
 * while that server does not answer.
 */
export class Remote<Value> {
  readonly #load: () => Promise<Value>;
  readonly #freshMs: number;
  #value: Value | undefined;
  #failure: unknown;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;

  constructor(freshMs: number, load: () => Promise<Value>) {
    this.#freshMs = freshMs;
    this.#load = load;
  }

  /** What is known without asking. */
  get known(): Value | undefined {
    return monotonic() - this.#loadedAt < USABLE_MS ? this.#value : undefined;
  }

  /** The value, asked for where it is not fresh. Throws where there is none. */
  async get(): Promise<Value> {
    if (monotonic() - this.#loadedAt >= this.#freshMs) {
      await this.renew();
      // Whoever misses something in what came just now may ask once more.
      if (this.#failure === undefined) this.#triedAt -= COOL_DOWN_MS;
    }
    const { known } = this;
    if (known === undefined) throw this.#failure;
    return known;
  }

  /** Asks again, unless somebody did so a moment ago, and says whether something came. */
  async renew(): Promise<boolean> {
    if (this.#loading === undefined) {
      if (monotonic() - this.#triedAt < COOL_DOWN_MS) return false;
      this.#triedAt = monotonic();
      this.#loading = this.#fetch();
    }
    await this.#loading;
    return this.#failure === undefined;
  }

  async #fetch(): Promise<void> {
    try {
      this.#value = await this.#load();
      this.#loadedAt = monotonic();
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error;
    } finally {
      this.#loading = undefined;
    }
  }
}
