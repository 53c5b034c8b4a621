import type { RequestContext } from "../request-context.js";
import type { ClientLoad } from "./limiter.js";
import { MAX_TIMER_MS } from "./limits.js";
import type { Quota } from "./quota.js";

/** A call that waits. */
export interface QueuedCall {
  readonly call: RequestContext;
  readonly client: ClientQueue;
  /** Rejects the call when its client stops waiting. */
  timer?: NodeJS.Timeout;
}

/** The waiting calls of one client, oldest first. */
interface ClientQueue {
  readonly key: unknown;
  /** The quota of the client's principal; undefined if principals have none. */
  readonly principal: Quota | undefined;
  readonly calls: QueuedCall[];
}

/**
 * The calls that wait, with one queue per client. Clients take turns; a call whose tool or principal has no capacity
 * is skipped and keeps its position, so it delays no other call and is never starved. If the server has no capacity, a client
 * without a running call may use the reserve.
 */
export class FairQueue {
  /** Whether a waiting call may be able to run as soon as the server has capacity. If so, new calls must not overtake it. */
  hasRunnable = false;
  readonly #server: Quota;
  readonly #load: ClientLoad;
  readonly #onRefill: () => void;
  /** In the order of their turns: a client moves to the end when one of its calls is admitted. */
  readonly #clients = new Map<unknown, ClientQueue>();
  #refillTimer: NodeJS.Timeout | undefined;

  /** `onRefill` is called when a token bucket may have capacity again, so that `dequeue` may return a call. */
  constructor(server: Quota, load: ClientLoad, onRefill: () => void) {
    this.#server = server;
    this.#load = load;
    this.#onRefill = onRefill;
  }

  get size(): number {
    return this.#server.waiting;
  }

  enqueue(call: RequestContext, principal: Quota | undefined): QueuedCall {
    const key = clientKeyOf(call);
    let client = this.#clients.get(key);
    if (client === undefined) {
      client = { key, principal, calls: [] };
      this.#clients.set(key, client);
    }
    const queuedCall: QueuedCall = { call, client };
    call.queued = queuedCall;
    client.calls.push(queuedCall);
    this.#countWaiting(queuedCall, 1);
    if (this.#server.capacity < 1) this.hasRunnable = true;
    return queuedCall;
  }

  /** A quota that calls wait for has capacity again. */
  onCapacity(): void {
    this.hasRunnable = this.size > 0;
  }

  /** Removes the next call that can run and acquires its quotas. Returns undefined if none can run now. */
  dequeue(): RequestContext | undefined {
    const full = new Set<Quota>();
    const queuedCall = this.#findRunnable(full);
    if (queuedCall === undefined) {
      this.hasRunnable = full.has(this.#server);
      this.#scheduleRefill(full);
      return undefined;
    }
    const { client, call } = queuedCall;
    for (const quota of [this.#server, call.quota, client.principal]) quota?.acquire();
    this.#clients.delete(client.key);
    this.#clients.set(client.key, client);
    this.remove(queuedCall);
    return call;
  }

  /** Removes a call that no longer waits. */
  remove(queuedCall: QueuedCall): void {
    const { client, call, timer } = queuedCall;
    call.queued = undefined;
    clearTimeout(timer);
    client.calls.splice(client.calls.indexOf(queuedCall), 1);
    if (client.calls.length === 0) this.#clients.delete(client.key);
    this.#countWaiting(queuedCall, -1);
    if (this.size > 0) return;
    this.hasRunnable = false;
    clearTimeout(this.#refillTimer);
  }

  /** The newest call of the client with the longest queue, if that is longer than the caller's would become. */
  findDisplaceable(call: RequestContext): QueuedCall | undefined {
    let maxLength = (this.#clients.get(clientKeyOf(call))?.calls.length ?? 0) + 1;
    let longest: QueuedCall[] | undefined;
    for (const { calls } of this.#clients.values()) {
      if (calls.length <= maxLength) continue;
      maxLength = calls.length;
      longest = calls;
    }
    return longest?.at(-1);
  }

  /** The first call whose quotas have capacity. Quotas that have none are added to `full`, so each is tested once. */
  #findRunnable(full: Set<Quota>): QueuedCall | undefined {
    const isFull = (quota: Quota | undefined): boolean => {
      if (quota === undefined) return false;
      if (!full.has(quota) && quota.capacity < 1) full.add(quota);
      return full.has(quota);
    };
    if (this.size === 0) return undefined;
    const needsReserve = isFull(this.#server);
    if (needsReserve && !this.#server.hasReserve) return undefined;
    for (const { principal, calls } of this.#clients.values()) {
      if (needsReserve && !this.#load.isIdle((calls[0] as QueuedCall).call)) continue;
      const queuedCall = isFull(principal) ? undefined : calls.find(({ call }) => !isFull(call.quota));
      if (queuedCall !== undefined) return queuedCall;
    }
    return undefined;
  }

  /** Calls `onRefill` as soon as the first of these quotas has a token again. */
  #scheduleRefill(full: ReadonlySet<Quota>): void {
    // A quota without a free slot gets one when a call ends. The tokens are not counted again: one may have arrived since.
    const empty = [...full].flatMap(({ bucket, running, maxConcurrent }) =>
      bucket !== undefined && running < maxConcurrent ? [bucket] : [],
    );
    clearTimeout(this.#refillTimer);
    if (empty.length === 0) return;
    const waitMs = Math.min(MAX_TIMER_MS, ...empty.map((bucket) => bucket.waitMs(1)));
    this.#refillTimer = setTimeout(() => {
      this.onCapacity();
      this.#onRefill();
    }, waitMs);
  }

  #countWaiting({ client, call }: QueuedCall, delta: 1 | -1): void {
    for (const quota of [this.#server, call.quota, client.principal]) if (quota !== undefined) quota.waiting += delta;
  }
}

/** Identifies a client: its principal, or its session if it is not authenticated. */
const clientKeyOf = ({ connection }: RequestContext): unknown => connection.principal ?? connection.session;
