import { RpcError } from "../../jsonrpc/errors.js";
import { ToolError } from "../../protocol/outcome.js";
import { readTraceContext, type TraceContext } from "../../protocol/request-meta.js";
import { getMeta } from "../../revisions/revision.js";
import { logCallToClient } from "../logging/client-log.js";
import type { LogEntry, Logger } from "../logging/log.js";
import type { ServerOptions } from "../options.js";
import type { InvocationKind, RequestContext } from "../request-context.js";
import { isThenable } from "../respond.js";
import type { ServerState } from "../state.js";

/** How a call ended: with a result, with an error that the model sees, with a JSON-RPC error, or cancelled. */
export type CallOutcome = "ok" | "failed" | "refused" | "cancelled";

/** The upper bounds of the duration histogram, in seconds, from the OpenTelemetry conventions for MCP. */
export const DURATION_BUCKET_BOUNDARIES: readonly number[] = [
  0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
];

/** The metrics of one tool, or of all prompts, resources or completions. */
export class CallMetrics {
  readonly kind: InvocationKind;
  readonly name: string;
  readonly outcomes: Record<CallOutcome, number> = { ok: 0, failed: 0, refused: 0, cancelled: 0 };
  /** Calls per bucket; the last is for calls longer than every bound. */
  readonly durationBuckets: number[] = Array.from({ length: DURATION_BUCKET_BOUNDARIES.length + 1 }, () => 0);
  totalSeconds = 0;

  constructor(kind: InvocationKind, name: string) {
    this.kind = kind;
    this.name = name;
  }

  /** Counts a finished call. */
  record(outcome: CallOutcome, seconds: number): void {
    this.outcomes[outcome] += 1;
    this.totalSeconds += seconds;
    let at = 0;
    while (at < DURATION_BUCKET_BOUNDARIES.length && seconds > (DURATION_BUCKET_BOUNDARIES[at] as number)) at += 1;
    this.durationBuckets[at] = (this.durationBuckets[at] as number) + 1;
  }
}

/** The metrics of a server. */
export interface ServerMetrics {
  /** One entry per tool, and one each for prompts, resources and completions. */
  calls(): readonly CallMetrics[];
  /** Calls that are running. */
  readonly running: number;
  /** Calls that are queued. */
  readonly queued: number;
  /** Open sessions. */
  readonly sessions: number;
  /** Open event streams over HTTP; transports count them. */
  streams: number;
}

/** Counts the calls of a server, and logs and reports them. Always on: one lookup and a few additions per call. */
export class MetricsCollector implements ServerMetrics {
  streams = 0;
  readonly #server: ServerState;
  readonly #logger: Logger;
  readonly #onCall: ServerOptions["onCall"];
  readonly #calls = new Map<string, CallMetrics>();

  constructor(server: ServerState, { log, onCall }: Pick<ServerOptions, "log" | "onCall">) {
    this.#server = server;
    // As the author wrote it: its level, which may change, decides whether calls are logged.
    this.#logger = log ?? server.settings.log;
    this.#onCall = onCall;
  }

  get running(): number {
    return this.#server.limiter.running;
  }

  get queued(): number {
    return this.#server.limiter.queued;
  }

  get sessions(): number {
    return [...this.#server.sessions].filter(({ revision }) => revision !== undefined).length;
  }

  /** Counts, logs and reports a call that has ended. */
  readonly onCallEnd = (call: RequestContext, durationMs: number): void => {
    const { quota } = call;
    // Cached in the quota of the tool: the lookup costs more than everything that is counted.
    const metrics = quota?.metrics ?? this.#metricsFor(call);
    if (quota !== undefined) quota.metrics = metrics;
    metrics.record(call.outcome, durationMs / 1000);
    const { level } = this.#logger;
    if (level === "info" || level === "debug") this.#server.settings.log(toLogEntry(call, durationMs));
    if (this.#server.settings.clientLog) logCallToClient(call, durationMs, errorCodeOf(call.failure));
    if (this.#onCall !== undefined) this.#report(this.#onCall, toCallReport(call, durationMs));
  };

  #report(onCall: NonNullable<ServerOptions["onCall"]>, report: CallReport): void {
    const { log } = this.#server.settings;
    const logFailure = (error: unknown): void => log({ level: "error", message: "onCall failed", error });
    try {
      const result: unknown = onCall(report);
      if (isThenable(result)) result.then(undefined, logFailure);
    } catch (error) {
      logFailure(error);
    }
  }

  #metricsFor({ kind, name }: RequestContext): CallMetrics {
    const key = kind === "tool" ? `tool ${name}` : kind;
    const metrics = this.#calls.get(key) ?? new CallMetrics(kind, kind === "tool" ? name : "");
    this.#calls.set(key, metrics);
    return metrics;
  }

  calls(): readonly CallMetrics[] {
    return [...this.#calls.values()];
  }
}

/** A finished call, as it is reported to the `onCall` option. */
export interface CallReport {
  readonly kind: InvocationKind;
  /** The name of the tool or prompt, or the URI of the resource. */
  readonly name: string;
  readonly principal: string | undefined;
  /** The trace context that the client sent; parsed when it is read. */
  readonly trace: TraceContext | undefined;
  readonly outcome: CallOutcome;
  /** The code of the `ToolError` or JSON-RPC error that the call failed with; undefined if there is none. */
  readonly code: string | undefined;
  /** From the arrival of the call to its end, including the time in the queue. */
  readonly durationMs: number;
}

function toLogEntry(
  { kind, name, principal, request, outcome, failure }: RequestContext,
  durationMs: number,
): LogEntry {
  const code = errorCodeOf(failure);
  return {
    level: "info",
    message: `${request.method} ${name} ${outcome}${code === undefined ? "" : ` (${code})`}`,
    ...(request.id !== undefined && { requestId: request.id }),
    ...(kind === "tool" && { tool: name }),
    ...(principal !== undefined && { principal }),
    durationMs,
  };
}

function toCallReport(call: RequestContext, durationMs: number): CallReport {
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
