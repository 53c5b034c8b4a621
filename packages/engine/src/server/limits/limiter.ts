import { isObject } from "../../jsonrpc/messages.js";
import type { ToolError } from "../../protocol/outcome.js";
import { readTimeoutMs, TIMEOUT_META_KEY } from "../../protocol/request-meta.js";
import type { RequestContext } from "../request-context.js";
import { cachedNow, monotonicNow, updateNow } from "../runtime.js";
import { FairQueue, type QueuedCall } from "./fair-queue.js";
import { type Limits, MAX_TIMER_MS } from "./limits.js";
import { type CallLimits, PrincipalQuotas, Quota, type RateOptions } from "./quota.js";
import { queueTimeoutError, rateLimitedError, serverBusyError } from "./rejections.js";
import { CallTimeouts } from "./timeouts.js";

/** The state of a call that had to wait in the queue. */
export interface QueueState {
  readonly isWaiting: boolean;
}

/** The part of a request that the limits apply to. */
export type LimitedCall = Pick<
  RequestContext,
  | "request"
  | "kind"
  | "name"
  | "principal"
  | "quota"
  | "queueState"
  | "clientTimeoutMs"
  | "timeoutMs"
  | "totalLimitName"
  | "deadline"
  | "startedAt"
  | "acceptedAt"
  | "isCounted"
  | "isAdmitted"
  | "outcome"
  | "failure"
  | "isWaitingForClient"
  | "proceed"
  | "stop"
> & {
  /** Identifies the client that takes turns with others: its principal, or its session if it is not authenticated. */
  readonly connection: { readonly principal: string | undefined; readonly session: object };
};

/** What a limiter needs of its server. */
export interface CallLimiterOptions {
  readonly limits: Limits;
  /** How often calls may start. */
  readonly rate?: RateOptions | undefined;
  /** The limits of the calls of one principal; undefined if there are none. */
  readonly perPrincipal?: CallLimits | undefined;
  /** Called when a call has ended. */
  readonly onEnd?: (call: LimitedCall, durationMs: number) => void;
}

/**
 * Applies the limits of a server to calls of author code: admits calls while there is capacity, queues the next ones, rejects calls
 * when the queue is full, and stops calls that exceed a timeout.
 */
export class CallLimiter {
  readonly #server: Quota;
  readonly #principals: PrincipalQuotas | undefined;
  readonly #queue: FairQueue;
  readonly #timeouts: CallTimeouts;
  readonly #onEnd: CallLimiterOptions["onEnd"];
  #maxQueued: number;
  /** Nothing but the number of running calls is limited. */
  #isUnrestricted: boolean;
  #isAdmitting = false;

  constructor({ limits, rate, perPrincipal, onEnd }: CallLimiterOptions) {
    this.#server = new Quota({ calls: limits.callsInFlight, ...(rate && { rate }) });
    this.#principals = perPrincipal && new PrincipalQuotas(perPrincipal);
    this.#queue = new FairQueue(this.#server, () => this.#admitSoon());
    this.#timeouts = new CallTimeouts(limits);
    this.#maxQueued = limits.callsQueued;
    this.#isUnrestricted = rate === undefined && perPrincipal === undefined;
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

  /** Applies other limits from now on. Running calls continue. */
  reconfigure({ callsInFlight, callsQueued }: Limits, rate: RateOptions | undefined): void {
    this.#server.reconfigure({ calls: callsInFlight, ...(rate && { rate }) });
    this.#maxQueued = callsQueued;
    this.#isUnrestricted = rate === undefined && this.#principals === undefined;
    this.#queue.onCapacity();
    this.#admitSoon();
  }

  /** Returns true if the call may start now, false if `proceed` is called later. Throws to reject the call. */
  enter(call: LimitedCall): boolean {
    call.acceptedAt = cachedNow();
    call.isCounted = true;
    const { quota } = call;
    // Nobody waits for the response of a task: it was sent when the task started.
    const meta = call.totalLimitName === "callTotalMs" ? call.request.params?.["_meta"] : undefined;
    if (isObject(meta) && meta[TIMEOUT_META_KEY] !== undefined) call.clientTimeoutMs = readTimeoutMs(meta);
    const isUnrestricted = this.#isUnrestricted && quota?.isLimited !== true;
    if (!isUnrestricted || this.#server.running >= this.#server.maxConcurrent || this.#queue.hasRunnable)
      return this.#enterRestricted(call);
    this.#server.running += 1;
    call.isAdmitted = true;
    return true;
  }

  /** Called when the handler is still running at the end of the event-loop turn in which the call arrived. */
  onPending(call: LimitedCall): void {
    this.#timeouts.add(call);
  }

  /** Called when a call that has entered ended, was rejected, or was abandoned while it waited. */
  leave(call: LimitedCall): void {
    const { isAdmitted, quota } = call;
    const queuedCall = call.queueState as QueuedCall | undefined;
    call.isCounted = false;
    call.isAdmitted = false;
    if (call.startedAt !== 0) this.#timeouts.delete(call);
    if (isAdmitted) {
      this.#server.running -= 1;
      if (!this.#isUnrestricted || quota?.isLimited === true) this.#release(call);
      if (this.#queue.hasRunnable) this.#admitSoon();
    } else if (queuedCall?.isWaiting === true) this.#removeFromQueue(queuedCall);
    this.#onEnd?.(call, updateNow() - call.acceptedAt);
  }

  #enterRestricted(call: LimitedCall): boolean {
    const server = this.#server;
    const tool = call.quota?.isLimited === true ? call.quota : undefined;
    const principal = this.#principals?.quotaFor(call.principal);
    rejectOverRate(call, "rate", server);
    rejectOverRate(call, "toolRate", tool);
    rejectOverRate(call, "principalRate", principal);
    const isFree = !this.#queue.hasRunnable && server.capacity >= 1 && hasCapacity(tool) && hasCapacity(principal);
    if (!isFree) {
      this.#enqueue(call, tool, principal);
      return false;
    }
    for (const quota of [server, tool, principal]) quota?.acquire();
    call.isAdmitted = true;
    return true;
  }

  #enqueue(call: LimitedCall, tool: Quota | undefined, principal: Quota | undefined): void {
    if (this.#queue.size >= this.#maxQueued) this.#displace(call);
    const queuedCall = this.#queue.enqueue(call, tool, principal);
    call.queueState = queuedCall;
    const { clientTimeoutMs } = call;
    if (clientTimeoutMs !== undefined) {
      const onTimeout = (): void => {
        // The call may have been answered with a task in the meantime.
        if (call.totalLimitName === "callTotalMs") this.#reject(queuedCall, queueTimeoutError(clientTimeoutMs));
      };
      queuedCall.timer = setTimeout(onTimeout, Math.min(clientTimeoutMs, MAX_TIMER_MS)).unref();
    }
    this.#admitSoon();
  }

  /** Makes room in a full queue: the client with the most waiting calls loses its newest one to a client with fewer. */
  #displace(call: LimitedCall): void {
    const { running, waiting } = this.#server;
    const error = serverBusyError(running, waiting);
    const displaced = this.#queue.findDisplaceable(call);
    if (displaced === undefined) throw error;
    this.#reject(displaced, error);
  }

  #reject(queuedCall: QueuedCall, error: ToolError): void {
    this.#removeFromQueue(queuedCall);
    queuedCall.call.stop(error);
  }

  /** Returns what a call used of the limits of its tool and principal. */
  #release({ quota, principal }: LimitedCall): void {
    const tool = quota?.isLimited === true ? quota : undefined;
    const principalQuota = this.#principals?.quotaFor(principal);
    if (tool !== undefined) tool.running -= 1;
    if (principalQuota !== undefined) {
      principalQuota.running -= 1;
      this.#principals?.release(principal, principalQuota);
    }
    if ((tool !== undefined && tool.waiting > 0) || (principalQuota !== undefined && principalQuota.waiting > 0))
      this.#queue.onCapacity();
  }

  #removeFromQueue(queuedCall: QueuedCall): void {
    this.#queue.remove(queuedCall);
    this.#stopWaiting(queuedCall);
  }

  #stopWaiting(queuedCall: QueuedCall): void {
    queuedCall.isWaiting = false;
    clearTimeout(queuedCall.timer);
  }

  /** Admits in a microtask: a call that leaves has not been answered yet, and responses go out in order of completion. */
  #admitSoon(): void {
    if (this.#isAdmitting || this.#queue.size === 0) return;
    this.#isAdmitting = true;
    queueMicrotask(() => this.#admit());
  }

  /** Admits waiting calls. One that ends at once returns here through `leave`, which must not start a second loop. */
  #admit(): void {
    for (let queuedCall = this.#queue.dequeue(); queuedCall !== undefined; queuedCall = this.#queue.dequeue()) {
      const { call } = queuedCall;
      this.#stopWaiting(queuedCall);
      call.isAdmitted = true;
      if (call.clientTimeoutMs !== undefined) call.clientTimeoutMs -= monotonicNow() - call.acceptedAt;
      call.proceed();
    }
    this.#isAdmitting = false;
  }
}

/** Whether a call may start without overtaking calls that wait for tokens of the same bucket. */
const hasCapacity = (quota: Quota | undefined): boolean =>
  quota === undefined || (quota.capacity >= 1 && (quota.bucket === undefined || quota.waiting === 0));

/** Calls over a rate wait, but no more of them than one burst. */
function rejectOverRate(
  call: LimitedCall,
  limit: "rate" | "toolRate" | "principalRate",
  quota: Quota | undefined,
): void {
  const bucket = quota?.bucket;
  if (quota === undefined || bucket === undefined || bucket.available >= 1) return;
  const { burst, over } = bucket.options;
  if (over !== "reject" && quota.waiting < burst) return;
  throw rateLimitedError(call, limit, bucket.options, bucket.waitMs(quota.waiting + 1));
}
