import { ToolError } from "../../protocol/outcome.js";
import type { Meter, Metered } from "./meter.js";

/** A token bucket: so many calls at once, so many each second. */
export interface RateOptions {
  readonly burst: number;
  readonly perSecond: number;
  /** What happens to a call over the rate: it waits for its turn (the default), or it is refused. */
  readonly over?: "delay" | "reject";
}

/** Bounds the rate of calls. Calls over it wait in order; those that would wait longer than a burst takes are refused. */
export class Rate implements Meter {
  readonly #options: RateOptions;
  readonly #waiting = new Set<Metered>();
  #tokens: number;
  #filledAt = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RateOptions) {
    if (!(options.burst >= 1 && options.perSecond > 0)) {
      throw new TypeError("Cannot create the server: rate needs burst of at least 1 and perSecond above 0");
    }
    if (options.over !== undefined && options.over !== "delay" && options.over !== "reject") {
      throw new TypeError("Cannot create the server: rate.over must be delay or reject");
    }
    this.#options = options;
    this.#tokens = options.burst;
  }

  enter(call: Metered): boolean {
    this.#fill();
    if (this.#tokens >= 1 && this.#waiting.size === 0) {
      this.#tokens -= 1;
      return true;
    }
    if (this.#options.over === "reject" || this.#waiting.size >= this.#options.burst) throw this.#refusal();
    this.#waiting.add(call);
    this.#arm();
    return false;
  }

  leave(call: Metered): void {
    this.#waiting.delete(call);
  }

  #fill(): void {
    const now = performance.now();
    this.#tokens = Math.min(
      this.#options.burst,
      this.#tokens + ((now - this.#filledAt) / 1000) * this.#options.perSecond,
    );
    this.#filledAt = now;
  }

  #arm(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#release(), this.#waitMs(1));
  }

  #release(): void {
    this.#timer = undefined;
    this.#fill();
    for (const call of this.#waiting) {
      if (this.#tokens < 1) break;
      this.#tokens -= 1;
      this.#waiting.delete(call);
      call.proceed();
    }
    if (this.#waiting.size > 0) this.#arm();
  }

  #waitMs(tokens: number): number {
    return Math.max(1, Math.ceil(((tokens - this.#tokens) / this.#options.perSecond) * 1000));
  }

  #refusal(): ToolError {
    const retryAfterMs = this.#waitMs(this.#waiting.size + 1);
    return new ToolError(
      `Too many calls: the limit is ${this.#options.perSecond} a second. Try again in ${retryAfterMs} ms.`,
      {
        code: "RATE_LIMITED",
        details: { limit: "rate", retryable: true, retryAfterMs },
      },
    );
  }
}
