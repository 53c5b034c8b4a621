import { monotonic } from "../clock.js";
/** A token bucket: so many calls at once, so many each second. */
export interface RateOptions {
  readonly burst: number;
  readonly perSecond: number;
  /** What happens to a call over the rate: it waits for its turn (the default), or it is refused. */
  readonly over?: "delay" | "reject";
}

/** What is wrong with a rate, or undefined; `name` is where it was given. */
export function rateFault(name: string, rate: RateOptions): string | undefined {
  if (!(rate?.burst >= 1 && rate.perSecond > 0)) return `${name} needs burst of at least 1 and perSecond above 0`;
  const isKnown = rate.over === undefined || rate.over === "delay" || rate.over === "reject";
  return isKnown ? undefined : `${name}.over must be delay or reject`;
}

/** What is left of a rate. */
export class Bucket {
  readonly options: RateOptions;
  #tokens: number;
  #filledAt = monotonic();

  constructor(options: RateOptions) {
    this.options = options;
    this.#tokens = options.burst;
  }

  /** How many calls may begin now. */
  get left(): number {
    this.#fill();
    return Math.floor(this.#tokens);
  }

  /** Whether it says no more than a new one would. */
  get isFull(): boolean {
    this.#fill();
    return this.#tokens >= this.options.burst;
  }

  take(): void {
    this.#tokens -= 1;
  }

  /** When so many calls may have begun. */
  waitMs(calls: number): number {
    this.#fill();
    return Math.max(1, Math.ceil(((calls - this.#tokens) / this.options.perSecond) * 1000));
  }

  #fill(): void {
    const now = monotonic();
    const { burst, perSecond } = this.options;
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#filledAt) / 1000) * perSecond);
    this.#filledAt = now;
  }
}
