import type { Outcome } from "../protocol/outcome.js";

/** Work that the layers stand around: starts, and turns what comes of it into an outcome. */
export interface Work {
  readonly tool: string;
  readonly timeoutMs: number;
  start(): unknown;
  finish(value: unknown): Outcome | Promise<Outcome>;
  /** Turns a failure into an outcome, or throws the `RpcError` that it is. */
  fail(error: unknown): Outcome;
}
