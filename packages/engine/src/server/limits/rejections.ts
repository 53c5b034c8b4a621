import { ToolError } from "../../protocol/outcome.js";
import type { RequestContext } from "../request-context.js";
import type { RateOptions } from "./quota.js";

/** When to retry a call that found the server busy. */
const BUSY_RETRY_MS = 1000;

/** `details.limit` of calls that are rejected before they start. */
const ADMISSION_LIMITS: ReadonlySet<unknown> = new Set([
  "callsQueued",
  "rate",
  "toolRate",
  "principalRate",
  "deadline",
]);

/** When a rejected call may be retried, from the details of its error; undefined if it was admitted or must not be retried. */
export function getRetryAfterMs(details: { readonly [name: string]: unknown } = {}): number | undefined {
  const { limit, retryable, retryAfterMs } = details;
  return retryable === true && ADMISSION_LIMITS.has(limit) && typeof retryAfterMs === "number"
    ? retryAfterMs
    : undefined;
}

/** Rejects a call because the queue is full. */
export function serverBusyError(running: number, waiting: number): ToolError {
  const runningCalls = running === 1 ? "1 call is" : `${running} calls are`;
  const state = `${runningCalls} running and ${waiting} ${waiting === 1 ? "is" : "are"} waiting`;
  return busyError(`The server is busy: ${state}.`, "callsQueued");
}

/** The rate that a call exceeded. */
export type RateLimitName = "rate" | "toolRate" | "principalRate";

const RATE_LIMIT_SUBJECTS: Readonly<Record<RateLimitName, (call: RequestContext) => string>> = {
  rate: () => "",
  toolRate: ({ name }) => ` of "${name}"`,
  principalRate: () => " of one caller",
};

/** Rejects a call that exceeds a rate. The delay is exact, not an estimate. */
export function rateLimitedError(
  call: RequestContext,
  limit: RateLimitName,
  { perSecond }: RateOptions,
  retryAfterMs: number,
): ToolError {
  const reason = `Too many calls${RATE_LIMIT_SUBJECTS[limit](call)}: the limit is ${perSecond} a second`;
  return new ToolError(`${reason}. Try again in ${formatDuration(retryAfterMs)}.`, {
    code: "RATE_LIMITED",
    details: { limit, retryable: true, retryAfterMs },
  });
}

/** Rejects a queued call because its client stopped waiting. */
export function queueTimeoutError(clientTimeoutMs: number): ToolError {
  const waited = `the call waited ${formatDuration(clientTimeoutMs)} for its turn, as long as the client waits`;
  return busyError(`The server is busy: ${waited}.`, "deadline");
}

function busyError(reason: string, limit: "callsQueued" | "deadline"): ToolError {
  const alternative = limit === "deadline" ? ", or increase the client's timeout" : "";
  return new ToolError(`${reason} Try again in ${formatDuration(BUSY_RETRY_MS)}${alternative}.`, {
    code: "BUSY",
    details: { limit, retryable: true, retryAfterMs: BUSY_RETRY_MS },
  });
}

const formatDuration = (ms: number): string => (ms < 1000 ? `${Math.ceil(ms)} ms` : `${Math.ceil(ms / 1000)} s`);
