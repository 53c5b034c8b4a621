import { readTrace, type Trace } from "../../protocol/trace.js";
import { metaOf } from "../../revisions/revision.js";
import type { WorkKind } from "../work.js";
import type { Layer, Metered } from "./layer.js";

/** What is known of a finished call. */
export interface CallReport {
  readonly kind: WorkKind;
  /** The name of the tool or prompt, or the URI of the resource. */
  readonly name: string;
  readonly principal: string | undefined;
  /** Where the call stands in a distributed trace; worked out when it is looked at. */
  readonly trace: Trace | undefined;
  /** From the moment the call was accepted, the wait for a free place included. */
  readonly durationMs: number;
}

/** Tells somebody of each finished call. */
export class Observe implements Layer {
  readonly #report: (report: CallReport) => void;

  constructor(report: (report: CallReport) => void) {
    this.#report = report;
  }

  enter(call: Metered): boolean {
    call.acceptedAt = performance.now();
    return true;
  }

  leave({ kind, name, principal, request, acceptedAt }: Metered): void {
    const durationMs = performance.now() - acceptedAt;
    this.#report({
      kind,
      name,
      principal,
      get trace() {
        return readTrace(metaOf(request));
      },
      durationMs,
    });
  }
}
