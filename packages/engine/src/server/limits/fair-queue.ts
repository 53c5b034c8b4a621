import type { RequestContext } from "../request-context.js";
import type { Client } from "./limiter.js";
import { MAX_TIMER_MS } from "./limits.js";
import type { Quota } from "./quota.js";

/** A call that waits. */
export interface QueuedCall {
  readonly call: RequestContext;
  readonly queue: ClientQueue;
  /** Rejects the call when its client stops waiting. */
  timer?: NodeJS.Timeout;
}

/** The waiting calls of one client, oldest first. */
interface ClientQueue {
  readonly client: Client;
  readonly calls: QueuedCall[];
}

/**
 * The calls that wait, with one queue per client. A place goes to the client with the fewest running calls, and clients with equally
 * many take turns. A call whose tool or principal has no capacity is skipped and keeps its position, so it delays no other call and is
 * never starved. If the server has no capacity, a client without a running call may use the reserve.
 */
export class FairQueue {
  /** Whether a waiting call may be able to run as soon as the server has capacity. If so, new calls must not overtake it. */
  hasRunnable = false;
  readonly #server: Quota;
  readonly #onRefill: () => void;
  /** In the order of their turns: a client moves to the end when one of its calls is admitted. */
  readonly #queues = new Map<Client, ClientQueue>();
  #refillTimer: NodeJS.Timeout | undefined;

  /** `onRefill` is called when a token bucket may have capacity again, so that `dequeue` may return a call. */
  constructor(server: Quota, onRefill: () => void) {
    this.#server = server;
    this.#onRefill = onRefill;
  }

  get size(): number {
    return this.#server.waiting;
  }

  enqueue(call: RequestContext): QueuedCall {
    const client = call.client as Client;
    let queue = this.#queues.get(client);
    if (queue === undefined) {
      queue = { client, calls: [] };
      this.#queues.set(client, queue);
    }
    const queuedCall: QueuedCall = { call, queue };
    call.queued = queuedCall;
    queue.calls.push(queuedCall);
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
    const { queue, call } = queuedCall;
    for (const quota of [this.#server, call.quota, queue.client.quota]) quota?.acquire();
    this.#queues.delete(queue.client);
    this.#queues.set(queue.client, queue);
    this.remove(queuedCall);
    return call;
  }

  /** Removes a call that no longer waits. */
  remove(queuedCall: QueuedCall): void {
    const { queue, call, timer } = queuedCall;
    call.queued = undefined;
    clearTimeout(timer);
    queue.calls.splice(queue.calls.indexOf(queuedCall), 1);
    if (queue.calls.length === 0) this.#queues.delete(queue.client);
    this.#countWaiting(queuedCall, -1);
    if (this.size > 0) return;
    this.hasRunnable = false;
    clearTimeout(this.#refillTimer);
  }

  /**
   * The newest call of the client with the most waiting calls, if those are more than the caller's would become. Principals and
   * addresses are compared first, then the sessions of one address.
   */
  findDisplaceable(call: RequestContext): QueuedCall | undefined {
    const client = call.client as Client;
    let longest: ClientQueue | undefined;
    for (const queue of this.#queues.values()) {
      if (longest === undefined || !hasMoreWaiting(longest.client, queue.client)) longest = queue;
    }
    if (longest === undefined) return undefined;
    const isSameOwner = longest.client.owner === client.owner;
    const hasMore = isSameOwner
      ? longest.client.waiting > client.waiting + 1
      : longest.client.owner.waiting > client.owner.waiting + 1;
    return hasMore ? longest.calls.at(-1) : undefined;
  }

  /**
   * The first call of the client with the fewest running calls whose quotas have capacity. Quotas that have none are added to `full`,
   * so each is tested once.
   */
  #findRunnable(full: Set<Quota>): QueuedCall | undefined {
    const isFull = (quota: Quota | undefined): boolean => {
      if (quota === undefined) return false;
      if (!full.has(quota) && quota.capacity < 1) full.add(quota);
      return full.has(quota);
    };
    if (this.size === 0) return undefined;
    const needsReserve = isFull(this.#server);
    if (needsReserve && this.#server.reserve < 1) return undefined;
    let fewest: Client | undefined;
    let found: QueuedCall | undefined;
    for (const { client, calls } of this.#queues.values()) {
      if (fewest !== undefined && !hasFewerRunning(client, fewest)) continue;
      if (needsReserve && !this.#server.isReservedFor(client)) continue;
      const queuedCall = isFull(client.quota) ? undefined : calls.find(({ call }) => !isFull(call.quota));
      if (queuedCall === undefined) continue;
      fewest = client;
      found = queuedCall;
      if (client.owner.running === 0) break;
    }
    return found;
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

  #countWaiting({ queue, call }: QueuedCall, delta: 1 | -1): void {
    for (let client: Client | undefined = queue.client; client !== undefined; client = client.parent)
      client.waiting += delta;
    for (const quota of [this.#server, call.quota, queue.client.quota]) if (quota !== undefined) quota.waiting += delta;
  }
}

/** Principals and addresses are compared first, then the sessions of one address. */
const hasFewerRunning = (a: Client, b: Client): boolean =>
  a.owner.running === b.owner.running ? a.running < b.running : a.owner.running < b.owner.running;

const hasMoreWaiting = (a: Client, b: Client): boolean =>
  a.owner.waiting === b.owner.waiting ? a.waiting > b.waiting : a.owner.waiting > b.owner.waiting;
