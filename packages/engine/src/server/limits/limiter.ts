import { isObject } from "../../jsonrpc/messages.js";
import type { ToolError } from "../../protocol/outcome.js";
import { readTimeoutMs, TIMEOUT_META_KEY } from "../../protocol/request-meta.js";
import type { RequestContext } from "../request-context.js";
import { monotonicNow, TurnClock } from "../runtime.js";
import { type Client, Clients } from "./clients.js";
import { FairQueue, type QueuedCall } from "./fair-queue.js";
import { type Limits, MAX_TIMER_MS } from "./limits.js";
import { type CallLimits, Quota, type RateOptions } from "./quota.js";
import { queueTimeoutError, type RateLimitName, rateLimitedError, serverBusyError } from "./rejections.js";
import { CallTimeouts } from "./timeouts.js";

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
    call.client = this.#clients.of(call.connection);
    const server = this.#server;
    const { quota: tool } = call;
    const hasOtherLimits = server.bucket !== undefined || call.client.quota !== undefined || tool?.isLimited === true;
    if (hasOtherLimits || server.running >= server.maxConcurrent || this.#queue.hasRunnable)
      return this.#enterLimited(call);
    server.running += 1;
    if (tool !== undefined) tool.running += 1;
    call.client.countRunning(1);
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
      client?.countRunning(-1);
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

  #enterLimited(call: RequestContext): boolean {
    const server = this.#server;
    const { quota: tool } = call;
    const client = call.client as Client;
    const { quota: principal } = client;
    const isServerFull = this.#queue.hasRunnable || server.capacity < 1;
    const mayUseReserve = isServerFull && server.isReservedFor(client);
    if ((isServerFull && !mayUseReserve) || !hasCapacity(tool) || !hasCapacity(principal)) {
      this.#enqueue(call, principal);
      return false;
    }
    for (const quota of [server, tool, principal]) quota?.acquire();
    client.countRunning(1);
    call.isAdmitted = true;
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
      call.client?.countRunning(1);
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
