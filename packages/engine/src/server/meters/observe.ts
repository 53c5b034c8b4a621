import { RpcError } from "../../jsonrpc/errors.js";
import { ToolError } from "../../protocol/outcome.js";
import { readTrace, type Trace } from "../../protocol/trace.js";
import { metaOf } from "../../revisions/revision.js";
import { currentTime } from "../clock.js";
import type { Log } from "../log.js";
import type { LogEntry } from "../log-entry.js";
import type { CallCounts, Metrics } from "../metrics.js";
import type { WorkKind } from "../work-kind.js";
import type { Ending } from "./ending.js";
import type { Meter, Metered } from "./meter.js";

/** What is known of a finished call. */
export interface CallReport {
  readonly kind: WorkKind;
  /** The name of the tool or prompt, or the URI of the resource. */
  readonly name: string;
  readonly principal: string | undefined;
  /** Where the call stands in a distributed trace; worked out when it is looked at. */
  readonly trace: Trace | undefined;
  readonly ending: Ending;
  /** What names the failure: the code of a `ToolError` or of an error of the protocol; undefined where there is none. */
  readonly code: string | undefined;
  /** From the moment the call was accepted, the wait for a free place included. */
  readonly durationMs: number;
}

/** The request that sets each kind of work going. */
const METHODS: Readonly<Record<WorkKind, string>> = {
  tool: "tools/call",
  prompt: "prompts/get",
  resource: "resources/read",
  completion: "completion/complete",
};

/** Counts each finished call, and tells the log of it, if that wants to hear, and whoever observes. */
export class Observe implements Meter {
  readonly #metrics: Metrics;
  readonly #log: Log;
  readonly #report: ((report: CallReport) => void) | undefined;

  constructor(metrics: Metrics, log: Log, report?: (report: CallReport) => void) {
    this.#metrics = metrics;
    this.#log = log;
    this.#report = report;
  }

  enter(call: Metered): boolean {
    call.acceptedAt = currentTime();
    this.#metrics.accepted += 1;
    return true;
  }

  leave(call: Metered, now: number): void {
    const durationMs = now - call.acceptedAt;
    this.#metrics.accepted -= 1;
    this.#countsOf(call).add(call.ending, durationMs / 1000);
    if (this.#log.isOn?.("info") === true) this.#log(lineOf(call, durationMs));
    this.#report?.(reportOf(call, durationMs));
  }

  /** Looked up once for each tool: a look-up costs more than all that is counted. */
  #countsOf({ kind, name, share }: Metered): CallCounts {
    if (share === undefined) return this.#metrics.countsOf(kind, name);
    share.counts ??= this.#metrics.countsOf(kind, name);
    return share.counts;
  }
}

function lineOf({ kind, name, principal, request, ending, failure }: Metered, durationMs: number): LogEntry {
  const code = codeOf(failure);
  return {
    level: "info",
    message: `${METHODS[kind]} ${name} ${ending}${code === undefined ? "" : ` (${code})`}`,
    ...(request.id !== undefined && { requestId: request.id }),
    ...(kind === "tool" && { tool: name }),
    ...(principal !== undefined && { principal }),
    durationMs,
  };
}

function reportOf({ kind, name, principal, request, ending, failure }: Metered, durationMs: number): CallReport {
  return {
    kind,
    name,
    principal,
    get trace() {
      return readTrace(metaOf(request));
    },
    ending,
    code: codeOf(failure),
    durationMs,
  };
}

/** The stable name of a failure; undefined for what has none. */
function codeOf(failure: unknown): string | undefined {
  if (failure instanceof ToolError) return failure.code;
  return failure instanceof RpcError ? String(failure.code) : undefined;
}
