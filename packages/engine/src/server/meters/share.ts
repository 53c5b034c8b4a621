import type { CallCounts } from "../metrics.js";
import { Pace } from "./pace.js";
import { Bucket, type RateOptions, rateFault } from "./rate.js";

/** What one tool, or one principal, may use of a server. */
export interface CallLimits {
  /** Calls that run at once. */
  readonly calls?: number;
  /** How often calls may begin. */
  readonly rate?: RateOptions;
}

/** What is wrong with such limits, or undefined; `prefix` goes before the names. */
export function callLimitsFault({ calls, rate }: CallLimits, prefix = ""): string | undefined {
  if (calls !== undefined && !(calls >= 1 && (Number.isInteger(calls) || calls === Number.POSITIVE_INFINITY)))
    return `${prefix}calls must be a whole number of at least 1`;
  return rate && rateFault(`${prefix}rate`, rate);
}

/** What a tool, a principal or the whole server may use, and how much of it is in use. */
export class Share {
  most = Number.POSITIVE_INFINITY;
  bucket: Bucket | undefined;
  /** Whether there is anything to run out of. */
  isLimited = false;
  readonly pace = new Pace();
  /** Where its calls are counted; known from the first one on. */
  counts: CallCounts | undefined;
  running = 0;
  /** Calls that wait and will use it. */
  waiting = 0;

  constructor(limits: CallLimits) {
    this.rebound(limits);
  }

  /** May use so much from now on; a rate begins anew. */
  rebound({ calls = Number.POSITIVE_INFINITY, rate }: CallLimits): void {
    this.most = calls;
    this.bucket = rate && new Bucket(rate);
    this.isLimited = calls !== Number.POSITIVE_INFINITY || rate !== undefined;
  }

  /** How many calls may begin now. */
  get room(): number {
    const free = this.most - this.running;
    return this.bucket === undefined || free < 1 ? free : Math.min(free, this.bucket.left);
  }

  /** A call begins. */
  take(): void {
    this.running += 1;
    this.bucket?.take();
  }

  /** How long a call waits that so many go before, as far as that is known; 0 = not at all. */
  waitMs(ahead: number, meanMs: number): number {
    const forPlace = this.running < this.most ? 0 : ((ahead + 1) * meanMs) / this.most;
    const forRate = this.bucket === undefined || this.bucket.left > ahead ? 0 : this.bucket.waitMs(ahead + 1);
    return Math.max(Number.isNaN(forPlace) ? 0 : forPlace, forRate);
  }
}
