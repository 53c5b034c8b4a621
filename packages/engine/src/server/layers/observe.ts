import type { Layer, Metered } from "./layer.js";

/** What is known of a finished call. */
export interface CallReport {
  readonly tool: string;
  readonly principal: string | undefined;
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

  leave(call: Metered): void {
    this.#report({ tool: call.tool, principal: call.principal, durationMs: performance.now() - call.acceptedAt });
  }
}
