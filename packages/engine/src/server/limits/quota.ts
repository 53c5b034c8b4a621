import { unknownOptionIssue } from "../definitions/validation.js";
import { monotonicNow } from "../runtime.js";
import type { Client } from "./limiter.js";
import type { CallMetrics } from "./metrics.js";

/** A rate limit: how many calls may start at once, and how many per second after that. */
export interface RateOptions {
  readonly burst: number;
  readonly perSecond: number;
  /** What happens to calls over the rate: they wait (the default), or they are rejected. */
  readonly over?: "delay" | "reject";
}

/** Returns what is wrong with a rate, or undefined. `name` is the name of the option. */
export function validateRate(name: string, rate: RateOptions): string | undefined {
  const unknown = unknownOptionIssue(rate, { burst: true, perSecond: true, over: true }, name);
  if (unknown !== undefined) return unknown;
  if (!(rate.burst >= 1 && rate.perSecond > 0)) return `${name} needs burst of at least 1 and perSecond above 0`;
  const isKnown = rate.over === undefined || rate.over === "delay" || rate.over === "reject";
  return isKnown ? undefined : `${name}.over must be delay or reject`;
}

/** A token bucket: it starts with `burst` tokens and is refilled with `perSecond` tokens per second. */
export class TokenBucket {
  readonly options: RateOptions;
  #tokens: number;
  #refilledAt = monotonicNow();

  constructor(options: RateOptions) {
    this.options = options;
    this.#tokens = options.burst;
  }

  /** How many whole tokens there are. */
  get available(): number {
    this.#refill();
    return Math.floor(this.#tokens);
  }

  /** A full bucket is no different from a new one, so it need not be kept. */
  get isFull(): boolean {
    this.#refill();
    return this.#tokens >= this.options.burst;
  }

  take(): void {
    this.#tokens -= 1;
  }

  /** Takes a token if there is one. */
  tryTake(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** How long it takes until there are this many tokens. */
  waitMs(tokens: number): number {
    this.#refill();
    return Math.max(1, Math.ceil(((tokens - this.#tokens) / this.options.perSecond) * 1000));
  }

  #refill(): void {
    const now = monotonicNow();
    const { burst, perSecond } = this.options;
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#refilledAt) / 1000) * perSecond);
    this.#refilledAt = now;
  }
}

/** The limits of the calls of one tool or one principal. */
export interface CallLimits {
  /** How many calls may run at the same time. */
  readonly calls?: number;
  /** How often calls may start. */
  readonly rate?: RateOptions;
}

/** Returns what is wrong with call limits, or undefined. `prefix` precedes the names of the options. */
export function validateCallLimits({ calls, rate }: CallLimits, prefix = ""): string | undefined {
  if (calls !== undefined && !(calls >= 1 && (Number.isInteger(calls) || calls === Number.POSITIVE_INFINITY)))
    return `${prefix}calls must be a whole number of at least 1`;
  return rate && validateRate(`${prefix}rate`, rate);
}

/** The reserve for clients that have nothing, as a part of a limit. */
const RESERVE_DIVISOR = 8;

/** The parts of the reserve for an address that already has something. */
const SESSIONS_SHARE = 1 / 2;
const SINGLE_REQUESTS_SHARE = 1 / 4;

/** How much clients that have nothing may exceed a limit, in all. Who allows only one at a time means it. */
export const reserveOf = (limit: number): number => (limit <= 1 ? 0 : Math.ceil(limit / RESERVE_DIVISOR));

/** The limits of a tool, a principal or the server, and their current use. */
export class Quota {
  maxConcurrent = Number.POSITIVE_INFINITY;
  bucket: TokenBucket | undefined;
  isLimited = false;
  /** The metrics of the tool; set at its first call. */
  metrics: CallMetrics | undefined;
  running = 0;
  /** A result of the tool was searched for values that JSON loses. */
  isResultChecked = false;
  /** How many waiting calls will use this quota. */
  waiting = 0;

  constructor(limits: CallLimits) {
    this.reconfigure(limits);
  }

  /** Applies other limits from now on. A rate starts with a full bucket. */
  reconfigure({ calls = Number.POSITIVE_INFINITY, rate }: CallLimits): void {
    this.maxConcurrent = calls;
    this.bucket = rate && new TokenBucket(rate);
    this.isLimited = calls !== Number.POSITIVE_INFINITY || rate !== undefined;
  }

  /** How many calls may start now. */
  get capacity(): number {
    const free = this.maxConcurrent - this.running;
    return this.bucket === undefined || free < 1 ? free : Math.min(free, this.bucket.available);
  }

  /**
   * How many calls may start although there is no capacity, each of a client without a running call. For this, an eighth of the
   * concurrent calls is added, so that no client can occupy the server for all others.
   */
  get reserve(): number {
    if (this.running < this.maxConcurrent || (this.bucket !== undefined && this.bucket.available < 1)) return 0;
    return this.maxConcurrent + reserveOf(this.maxConcurrent) - this.running;
  }

  /** Whether a client may start a call from the reserve. */
  isReservedFor({ running, owner, isSingleRequest }: Client): boolean {
    const { reserve } = this;
    if (reserve < 1 || running > 0) return false;
    // Further sessions of one address may use half of it, so that other addresses find some, and its requests without a session a
    // quarter, so that sessions find some.
    const share = isSingleRequest ? SINGLE_REQUESTS_SHARE : SESSIONS_SHARE;
    return owner.running === 0 || reserve > Math.floor(reserveOf(this.maxConcurrent) * (1 - share));
  }

  /** Counts a call that starts. */
  acquire(): void {
    this.running += 1;
    this.bucket?.take();
  }
}
