import { isObject } from "../../jsonrpc/messages.js";
import type { ToolError } from "../../protocol/outcome.js";
import { readTimeoutMs, TIMEOUT_META_KEY } from "../../protocol/request-meta.js";
import type { Connection } from "../connection.js";
import type { RequestContext } from "../request-context.js";
import { monotonicNow, TurnClock } from "../runtime.js";
import { FairQueue, type QueuedCall } from "./fair-queue.js";
import { type Limits, MAX_TIMER_MS } from "./limits.js";
import { type CallLimits, Quota, type RateOptions } from "./quota.js";
import { queueTimeoutError, type RateLimitName, rateLimitedError, serverBusyError } from "./rejections.js";
import { CallTimeouts } from "./timeouts.js";

/** What one client uses of the places for calls. */
export class Client {
  /** The address that clients without authentication share; undefined for all others. */
  parent: Client | undefined;
  /** How many of its calls run. */
  running = 0;
  /** How many of its calls wait. */
  waiting = 0;
  /** The limits of its principal; undefined if there are none. */
  readonly quota: Quota | undefined;
  /** Whether it is one request of the stateless revision, of which an address can send any number. */
  readonly isSingleRequest: boolean;

  constructor(quota?: Quota, isSingleRequest = false) {
    this.quota = quota;
    this.isSingleRequest = isSingleRequest;
  }

  /** The principal or the address; without both, the client itself. */
  get owner(): Client {
    return this.parent ?? this;
  }

  get isIdle(): boolean {
    return this.running === 0 && this.waiting === 0;
  }

  /** Whether it is no different from a new one. */
  get isUnused(): boolean {
    return this.isIdle && this.quota?.bucket?.isFull !== false;
  }
}

/** How many clients are remembered before idle ones are forgotten. */
const MAX_IDLE_CLIENTS = 10_000;

/**
 * The clients of a server. With authentication a client is a principal, whatever its sessions. Without it, a client is a session, or a
 * request of the stateless revision, those of one network address share what their address may use, and all share one quota.
 */
export class Clients {
  readonly #principals = new Map<string, Client>();
  readonly #addresses = new Map<string, Client>();
  readonly #perPrincipal: CallLimits | undefined;
  readonly #anonymousQuota: Quota | undefined;
  #sweepAt = MAX_IDLE_CLIENTS;

  /** `perPrincipal` are the limits of the calls of one principal. */
  constructor(perPrincipal?: CallLimits) {
    this.#perPrincipal = perPrincipal;
    this.#anonymousQuota = perPrincipal && new Quota(perPrincipal);
  }

  /** How many principals and addresses are remembered. */
  get size(): number {
    return this.#principals.size + this.#addresses.size;
  }

  of({ principal, address, session }: Pick<Connection, "principal" | "address" | "session">): Client {
    if (principal !== undefined) return this.#find(this.#principals, principal, this.#perPrincipal);
    const client = (session.client ??= new Client(this.#anonymousQuota, session.options.isSingleRequest));
    // Only idle clients are forgotten, so the parent of one that is not idle never changes.
    if (address !== undefined) client.parent = this.#find(this.#addresses, address);
    return client;
  }

  #find(clients: Map<string, Client>, key: string, limits?: CallLimits): Client {
    let client = clients.get(key);
    if (client !== undefined) return client;
    if (this.size >= this.#sweepAt) this.#forgetIdle();
    client = new Client(limits && new Quota(limits));
    clients.set(key, client);
    return client;
  }

  /** Forgets clients that are no different from new ones; if that is not enough, the oldest idle principals. */
  #forgetIdle(): void {
    for (const clients of [this.#principals, this.#addresses])
      for (const [key, client] of clients) if (client.isUnused) clients.delete(key);
    for (const [key, client] of this.#principals) {
      if (this.size < MAX_IDLE_CLIENTS) break;
      if (client.isIdle) this.#principals.delete(key);
    }
    this.#sweepAt = Math.max(MAX_IDLE_CLIENTS, 2 * this.size);
  }
}

/** What a limiter needs of its server. */
interface CallLimiterOptions {
  /** Read whenever a call enters, because they can change. */
  readonly limits: Limits;
  /** How often calls may start. */
  readonly rate?: RateOptions | undefined;
  /** The limits of the calls of one principal; undefined if there are none. */
  readonly perPrincipal?: CallLimits | undefined;
  /** The clock of the server. */
  readonly clock?: TurnClock;
  /** Called when a call has ended. */
  readonly onEnd?: (call: RequestContext, durationMs: number) => void;
}

/**
 * Applies the limits of a server to calls of author code: admits calls while there is capacity, queues the next ones, rejects calls
 * when the queue is full, and stops calls that exceed a timeout.
 */
export class CallLimiter {
  readonly #server: Quota;
  readonly #clients: Clients;
  readonly #queue: FairQueue;
  readonly #timeouts: CallTimeouts;
  readonly #onEnd: CallLimiterOptions["onEnd"];
  readonly #limits: Limits;
  readonly #clock: TurnClock;
  #isAdmitting = false;

  constructor({ limits, rate, perPrincipal, clock = new TurnClock(), onEnd }: CallLimiterOptions) {
    this.#server = new Quota({ calls: limits.callsInFlight, ...(rate && { rate }) });
    this.#clients = new Clients(perPrincipal);
    this.#queue = new FairQueue(this.#server, () => this.#admitSoon());
    this.#timeouts = new CallTimeouts(limits);
    this.#limits = limits;
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  /** How many calls run. */
  get running(): number {
    return this.#server.running;
  }

  /** How many calls wait. */
  get queued(): number {
    return this.#queue.size;
  }

  /** Applies limits that have changed. Running calls continue. */
  reconfigure(rate: RateOptions | undefined): void {
    this.#server.reconfigure({ calls: this.#limits.callsInFlight, ...(rate && { rate }) });
    this.#queue.onCapacity();
    this.#admitSoon();
  }

  /** Returns true if the call may start now, false if `onAdmitted` is called later. Throws to reject the call. */
  enter(call: RequestContext): boolean {
    call.acceptedAt = this.#clock.now();
    call.isCounted = true;
    // Nobody waits for the response of a task: it was sent when the task started.
    const meta = call.taskSink === undefined ? call.request.params?.["_meta"] : undefined;
    if (isObject(meta) && meta[TIMEOUT_META_KEY] !== undefined) call.clientTimeoutMs = readTimeoutMs(meta);
    const client = this.#clients.of(call.connection);
    call.client = client;
    const server = this.#server;
    const { quota: tool } = call;
    const hasOtherLimits = server.bucket !== undefined || client.quota !== undefined || tool?.isLimited === true;
    if (hasOtherLimits || server.running >= server.maxConcurrent || this.#queue.hasRunnable) {
      if (!this.#tryAcquire(call, client)) return false;
    } else {
      server.running += 1;
      if (tool !== undefined) tool.running += 1;
    }
    for (let each: Client | undefined = client; each !== undefined; each = each.parent) each.running += 1;
    call.isAdmitted = true;
    return true;
  }

  /** Called when the handler is still running at the end of the event-loop turn in which the call arrived. */
  onPending(call: RequestContext): void {
    this.#timeouts.add(call);
  }

  /** Called when a call that has entered ended, was rejected, or was abandoned while it waited. */
  leave(call: RequestContext): void {
    call.isCounted = false;
    if (call.startedAt !== 0) this.#timeouts.delete(call);
    if (call.queued !== undefined) this.#queue.remove(call.queued);
    if (call.isAdmitted) {
      const { quota: tool, client } = call;
      call.isAdmitted = false;
      for (let each = client; each !== undefined; each = each.parent) each.running -= 1;
      this.#server.running -= 1;
      if (tool !== undefined) tool.running -= 1;
      const principal = client?.quota;
      if (principal !== undefined) principal.running -= 1;
      // A call that waits for a slot of its tool or principal may run now.
      if ((tool?.isLimited && tool.waiting > 0) || (principal && principal.waiting > 0)) this.#queue.onCapacity();
      if (this.#queue.hasRunnable) this.#admitSoon();
    }
    this.#onEnd?.(call, this.#clock.update() - call.acceptedAt);
  }

  /** Acquires the quotas of a call. Returns false if it has to wait; throws to reject it. */
  #tryAcquire(call: RequestContext, client: Client): boolean {
    const server = this.#server;
    const { quota: tool } = call;
    const { quota: principal } = client;
    const isServerFull = this.#queue.hasRunnable || server.capacity < 1;
    const mayUseReserve = isServerFull && server.isReservedFor(client);
    if ((isServerFull && !mayUseReserve) || !hasCapacity(tool) || !hasCapacity(principal)) {
      this.#enqueue(call, principal);
      return false;
    }
    for (const quota of [server, tool, principal]) quota?.acquire();
    return true;
  }

  /** Throws to reject the call. */
  #enqueue(call: RequestContext, principal: Quota | undefined): void {
    rejectOverRate(call, "rate", this.#server);
    rejectOverRate(call, "toolRate", call.quota);
    rejectOverRate(call, "principalRate", principal);
    if (this.#queue.size >= this.#limits.callsQueued) {
      // The client with the most waiting calls loses its newest one to a client with fewer.
      const displaced = this.#queue.findDisplaceable(call);
      const error = serverBusyError(this.running, this.queued);
      if (displaced === undefined) throw error;
      this.#reject(displaced, error);
    }
    const queuedCall = this.#queue.enqueue(call);
    const { clientTimeoutMs } = call;
    if (clientTimeoutMs !== undefined) {
      const onTimeout = (): void => {
        // The call may have been answered with a task in the meantime.
        if (call.taskSink === undefined) this.#reject(queuedCall, queueTimeoutError(clientTimeoutMs));
      };
      queuedCall.timer = setTimeout(onTimeout, Math.min(clientTimeoutMs, MAX_TIMER_MS)).unref();
    }
    this.#admitSoon();
  }

  #reject(queuedCall: QueuedCall, error: ToolError): void {
    this.#queue.remove(queuedCall);
    queuedCall.call.stop(error);
  }

  /** Admits in a microtask: a call that leaves has not been answered yet, and responses go out in order of completion. */
  #admitSoon(): void {
    if (this.#isAdmitting || this.#queue.size === 0) return;
    this.#isAdmitting = true;
    queueMicrotask(() => this.#admit());
  }

  /** Admits waiting calls. One that ends at once returns here through `leave`, which must not start a second loop. */
  #admit(): void {
    for (let call = this.#queue.dequeue(); call !== undefined; call = this.#queue.dequeue()) {
      for (let each = call.client; each !== undefined; each = each.parent) each.running += 1;
      call.isAdmitted = true;
      if (call.clientTimeoutMs !== undefined) call.clientTimeoutMs -= monotonicNow() - call.acceptedAt;
      call.onAdmitted?.();
    }
    this.#isAdmitting = false;
  }
}

/** Whether a call may start without overtaking calls that wait for tokens of the same bucket. */
const hasCapacity = (quota: Quota | undefined): boolean =>
  quota === undefined || (quota.capacity >= 1 && (quota.bucket === undefined || quota.waiting === 0));

/** Calls over a rate wait, but no more of them than one burst. */
function rejectOverRate(call: RequestContext, limit: RateLimitName, quota: Quota | undefined): void {
  const bucket = quota?.bucket;
  if (quota === undefined || bucket === undefined || bucket.available >= 1) return;
  const { burst, over } = bucket.options;
  if (over !== "reject" && quota.waiting < burst) return;
  throw rateLimitedError(call, limit, bucket.options, bucket.waitMs(quota.waiting + 1));
}
