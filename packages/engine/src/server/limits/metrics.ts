import type { TraceContext } from "../../protocol/request-meta.js";
import type { InvocationKind } from "../request-context.js";

/** How a call ended: with a result, with an error that the model sees, with a JSON-RPC error, or cancelled. */
export type CallOutcome = "ok" | "failed" | "refused" | "cancelled";

/** The upper bounds of the duration histogram, in seconds, from the OpenTelemetry conventions for MCP. */
export const DURATION_BUCKET_BOUNDARIES: readonly number[] = [
  0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
];

/** The weight of the newest call in the mean duration. */
const SMOOTHING_FACTOR = 0.2;

/** The metrics of one tool, or of all prompts, resources or completions. */
export class CallMetrics {
  readonly kind: InvocationKind;
  readonly name: string;
  readonly outcomes: Record<CallOutcome, number> = { ok: 0, failed: 0, refused: 0, cancelled: 0 };
  /** Calls per bucket; the last is for calls longer than every bound. */
  readonly durationBuckets: number[] = Array.from({ length: DURATION_BUCKET_BOUNDARIES.length + 1 }, () => 0);
  totalSeconds = 0;
  /** The expected duration of a call, an exponential moving average; 0 = unknown. */
  meanMs = 0;

  constructor(kind: InvocationKind, name: string) {
    this.kind = kind;
    this.name = name;
  }

  /** Counts a finished call. `isTypical`: its duration is that of the handler, without a wait in the queue. */
  record(outcome: CallOutcome, seconds: number, isTypical = true): void {
    this.outcomes[outcome] += 1;
    const durationMs = seconds * 1000;
    if (this.meanMs === 0) this.meanMs = isTypical ? durationMs : 0;
    // A call that did not succeed would have taken longer, so it never lowers the mean.
    else if (isTypical && (outcome === "ok" || durationMs > this.meanMs))
      this.meanMs += (durationMs - this.meanMs) * SMOOTHING_FACTOR;
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

/** Values that are counted elsewhere and read on demand. */
interface GaugeSources {
  queued(): number;
  sessions(): number;
}

/** Counts the calls of a server. Always on: one lookup and a few additions per call. */
export class MetricsCollector implements ServerMetrics {
  /** Calls that are running or queued. */
  inFlight = 0;
  streams = 0;
  readonly #gauges: GaugeSources;
  readonly #tools = new Map<string, CallMetrics>();
  readonly #otherKinds = new Map<InvocationKind, CallMetrics>();

  constructor(gauges: GaugeSources = { queued: () => 0, sessions: () => 0 }) {
    this.#gauges = gauges;
  }

  get running(): number {
    return this.inFlight - this.queued;
  }

  get queued(): number {
    return this.#gauges.queued();
  }

  get sessions(): number {
    return this.#gauges.sessions();
  }

  /** Returns the metrics of a tool, or of all calls of another kind. */
  metricsFor(kind: InvocationKind, name: string): CallMetrics {
    const known = kind === "tool" ? this.#tools.get(name) : this.#otherKinds.get(kind);
    if (known !== undefined) return known;
    const counts = new CallMetrics(kind, kind === "tool" ? name : "");
    if (kind === "tool") this.#tools.set(name, counts);
    else this.#otherKinds.set(kind, counts);
    return counts;
  }

  calls(): readonly CallMetrics[] {
    return [...this.#tools.values(), ...this.#otherKinds.values()];
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
