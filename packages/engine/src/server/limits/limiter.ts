import { RpcError } from "../../jsonrpc/errors.js";
import { ToolError } from "../../protocol/outcome.js";
import { readTraceContext } from "../../protocol/request-meta.js";
import { getMeta } from "../../revisions/revision.js";
import type { LogEntry } from "../logging/log.js";
import type { ServerOptions, ServerSettings } from "../options.js";
import type { ProgressReporter } from "../progress.js";
import type { InvocationKind } from "../request-context.js";
import { isThenable } from "../respond.js";
import { cachedNow, updateNow } from "../runtime.js";
import { ConcurrencyLimiter } from "./concurrency.js";
import type { Limits } from "./limits.js";
import type { CallOutcome, CallReport, MetricsCollector } from "./metrics.js";
import type { Quota, RateOptions } from "./quota.js";
import { CallTimeouts } from "./timeouts.js";

/** The state of a call that had to wait in the queue. */
export interface QueueState {
  readonly isWaiting: boolean;
}

/** The part of a request that the limits apply to. */
export interface LimitedCall extends ProgressReporter {
  readonly kind: InvocationKind;
  readonly name: string;
  readonly principal: string | undefined;
  /** Identifies the client that takes turns with others: its principal, or its session if it is not authenticated. */
  readonly connection: { readonly principal: string | undefined; readonly session: object };
  /** The quota of the tool; undefined for everything that is not a tool. */
  readonly quota: Quota | undefined;
  /** Set by the `ConcurrencyLimiter` if the call has to wait. */
  queueState: QueueState | undefined;
  /** How long the client waits from the moment the call is admitted; undefined = forever. Set by the `ConcurrencyLimiter`. */
  clientTimeoutMs: number | undefined;
  /** How long the call may run without progress. */
  readonly timeoutMs: number;
  /** The limit of the total duration, regardless of progress. */
  readonly totalLimitName: "callTotalMs" | "taskTotalMs";
  /** When the call times out. Set by `CallTimeouts`, extended by progress and by responses of the client. */
  deadline: number;
  /** When the call was found to take longer than a turn, shifted by the time spent waiting for the client; 0 = not yet. */
  startedAt: number;
  /** When the call was received. Set by the `CallLimiter`. */
  acceptedAt: number;
  /** The `CallLimiter` counts the call until it ends. */
  isCounted: boolean;
  /** The `ConcurrencyLimiter` has admitted the call. */
  isAdmitted: boolean;
  /** How the call ended; known when it leaves. */
  readonly outcome: CallOutcome;
  /** The error that the call failed with, if any. */
  readonly failure: unknown;
  /** The call waits for a response of the client, which does not count towards its timeouts. */
  readonly isWaitingForClient: boolean;
  /** Continues after a wait in the queue. */
  proceed(): void;
  /** Aborts the call with an error that the model sees. */
  stop(error: ToolError): void;
}

/** Applies the limits of a server to calls of author code, and counts and reports the calls. */
export class CallLimiter {
  readonly #concurrency: ConcurrencyLimiter;
  readonly #timeouts: CallTimeouts;
  readonly #metrics: MetricsCollector;
  readonly #log: ServerSettings["log"];
  readonly #onCall: ServerOptions["onCall"];

  constructor(
    { onCall, limits: { rate, perPrincipal } = {} }: Pick<ServerOptions, "onCall" | "limits">,
    { limits, log }: Pick<ServerSettings, "limits" | "log">,
    metrics: MetricsCollector,
  ) {
    this.#concurrency = new ConcurrencyLimiter({
      server: { calls: limits.callsInFlight, ...(rate && { rate }) },
      perPrincipal,
      maxQueued: limits.callsQueued,
    });
    this.#timeouts = new CallTimeouts(limits);
    this.#metrics = metrics;
    this.#log = log;
    this.#onCall = onCall;
  }

  /** How many calls wait. */
  get queued(): number {
    return this.#concurrency.queued;
  }

  /** Applies other limits from now on. Running calls continue. */
  reconfigure({ callsInFlight, callsQueued }: Limits, rate: RateOptions | undefined): void {
    this.#concurrency.reconfigure({ maxConcurrent: callsInFlight, maxQueued: callsQueued, rate });
  }

  /** Returns true if the call may start now, false if `proceed` is called later. Throws to reject the call. */
  enter(call: LimitedCall): boolean {
    call.acceptedAt = cachedNow();
    call.isCounted = true;
    this.#metrics.inFlight += 1;
    return this.#concurrency.enter(call);
  }

  /** Called when the handler is still running at the end of the event-loop turn in which the call arrived. */
  onPending(call: LimitedCall): void {
    this.#timeouts.add(call);
  }

  /** Called when a call that has entered ended, or was abandoned while it waited. */
  leave(call: LimitedCall): void {
    call.isCounted = false;
    if (call.startedAt !== 0) this.#timeouts.delete(call);
    // Reading the clock costs as much as the rest, so it is read once.
    const now = updateNow();
    const isTypical = call.isAdmitted && call.queueState === undefined && call.totalLimitName === "callTotalMs";
    this.#concurrency.leave(call);
    const durationMs = now - call.acceptedAt;
    this.#metrics.inFlight -= 1;
    const { quota } = call;
    // Cached in the quota of the tool: the lookup costs more than everything that is counted.
    let counts = quota?.counts;
    if (counts === undefined) {
      counts = this.#metrics.metricsFor(call.kind, call.name);
      if (quota !== undefined) quota.counts = counts;
    }
    counts.record(call.outcome, durationMs / 1000, isTypical);
    if (this.#log.isLevelEnabled?.("info") === true) this.#log(toLogEntry(call, durationMs));
    if (this.#onCall !== undefined) this.#report(this.#onCall, toCallReport(call, durationMs));
  }

  #report(onCall: NonNullable<ServerOptions["onCall"]>, report: CallReport): void {
    const logFailure = (error: unknown): void => this.#log({ level: "error", message: "onCall failed", error });
    try {
      const result: unknown = onCall(report);
      if (isThenable(result)) result.then(undefined, logFailure);
    } catch (error) {
      logFailure(error);
    }
  }
}

const METHOD_BY_KIND: Readonly<Record<InvocationKind, string>> = {
  tool: "tools/call",
  prompt: "prompts/get",
  resource: "resources/read",
  completion: "completion/complete",
};

function toLogEntry({ kind, name, principal, request, outcome, failure }: LimitedCall, durationMs: number): LogEntry {
  const code = errorCodeOf(failure);
  return {
    level: "info",
    message: `${METHOD_BY_KIND[kind]} ${name} ${outcome}${code === undefined ? "" : ` (${code})`}`,
    ...(request.id !== undefined && { requestId: request.id }),
    ...(kind === "tool" && { tool: name }),
    ...(principal !== undefined && { principal }),
    durationMs,
  };
}

function toCallReport(call: LimitedCall, durationMs: number): CallReport {
  const { kind, name, principal, request, outcome, failure } = call;
  return {
    kind,
    name,
    principal,
    get trace() {
      return readTraceContext(getMeta(request));
    },
    outcome,
    code: errorCodeOf(failure),
    durationMs,
  };
}

function errorCodeOf(failure: unknown): string | undefined {
  if (failure instanceof ToolError) return failure.code;
  return failure instanceof RpcError ? String(failure.code) : undefined;
}
