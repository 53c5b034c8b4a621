import type { Caller, LogLevel } from "../protocol/caller.js";
import type { InferInput, SchemaSource } from "../schema/schema.js";

/** One call, as the author of a tool sees it. It has no revision, transport or session: none of them can be depended on. */
export interface Call {
  /** Who calls, as the client says of itself. */
  readonly caller: Caller;
  /** Who calls, as the transport has verified it; undefined where nobody is told apart. */
  readonly principal: string | undefined;
  /** Aborted when the call is cancelled, runs out of time, or is still running when the server has to end. */
  readonly signal: AbortSignal;
  /** Reports progress, where the client wants to hear of it. Values must grow; each report restarts the timeout. */
  progress(value: number, message?: string, total?: number): void;
  /** Sends a log line, where the client's level allows. */
  log(level: LogLevel, message: unknown, logger?: string): void;
  /**
   * Asks the person at the other end to fill in a form, and gives what they entered; undefined when they declined. The tool
   * may run again from the top for each answer, so: ask first, act after.
   */
  ask<const Form extends SchemaSource>(
    name: string,
    message: string,
    form: Form,
  ): Promise<InferInput<Form> | undefined>;
}
