import { RpcError } from "../../jsonrpc/errors.js";
import { ToolError } from "../../protocol/outcome.js";
import { readTrace, type Trace } from "../../protocol/trace.js";
import { metaOf } from "../../revisions/revision.js";
import type { Metrics } from "../metrics.js";
import type { WorkKind } from "../work.js";
import type { Ending, Meter, Metered } from "./meter.js";

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

/** Counts each finished call, and tells somebody of it. */
export class Observe implements Meter {
  readonly #metrics: Metrics;
  readonly #report: ((report: CallReport) => void) | undefined;

  constructor(metrics: Metrics, report?: (report: CallReport) => void) {
    this.#metrics = metrics;
    this.#report = report;
  }

  enter(call: Metered): boolean {
    call.acceptedAt = performance.now();
    return true;
  }

  leave(call: Metered): void {
    const durationMs = performance.now() - call.acceptedAt;
    this.#metrics.count(call.kind, call.name, call.ending, durationMs / 1000);
    this.#report?.(reportOf(call, durationMs));
  }
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
