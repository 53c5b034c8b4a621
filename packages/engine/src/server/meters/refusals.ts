import { ToolError } from "../../protocol/outcome.js";
import type { Metered } from "./meter.js";
import type { RateOptions } from "./rate.js";

/** What is said where nothing is known yet. */
const GUESS_MS = 1000;
const LEAST_MS = 100;
const MOST_MS = 60_000;

/** An estimated wait as it is told: never so short that it invites a storm, never so long that nobody comes back. */
const toldMs = (waitMs: number): number =>
  Math.min(Math.max(Math.ceil(waitMs > 0 ? waitMs : GUESS_MS), LEAST_MS), MOST_MS);

/** A time in words. */
const inWords = (ms: number): string => (ms < 1000 ? `${Math.ceil(ms)} ms` : `${Math.ceil(ms / 1000)} s`);

const calls = (count: number): string => (count === 1 ? "1 call is" : `${count} calls are`);

/** The stable names of what calls are refused by before they begin. */
const LIMITS: ReadonlySet<unknown> = new Set(["callsQueued", "rate", "toolRate", "principalRate", "deadline"]);

/** When a call may be tried again that failed with these details; undefined = it was let in, or should not be tried again. */
export function retryAfterOf(details: { readonly [name: string]: unknown } = {}): number | undefined {
  const { limit, retryable, retryAfterMs } = details;
  return retryable === true && LIMITS.has(limit) && typeof retryAfterMs === "number" ? retryAfterMs : undefined;
}

/** Refuses a call for which there is no room even to wait. */
export function busy(running: number, waiting: number, waitMs: number): ToolError {
  const retryAfterMs = toldMs(waitMs);
  const state = `${calls(running)} running and ${waiting} ${waiting === 1 ? "is" : "are"} waiting`;
  return new ToolError(`The server is busy: ${state}. Try again in ${inWords(retryAfterMs)}.`, {
    code: "BUSY",
    details: { limit: "callsQueued", retryable: true, retryAfterMs },
  });
}

/** The rates that calls can be over, by their stable names, and what each one bounds. */
const RATED = {
  rate: () => "",
  toolRate: ({ name }: Metered) => ` of "${name}"`,
  principalRate: () => " of one caller",
} as const;

/** Refuses a call over a rate; when it will not be over it is known. */
export function overRate(
  call: Metered,
  limit: keyof typeof RATED,
  { perSecond }: RateOptions,
  retryAfterMs: number,
): ToolError {
  const what = `Too many calls${RATED[limit](call)}: the limit is ${perSecond} a second`;
  return new ToolError(`${what}. Try again in ${inWords(retryAfterMs)}.`, {
    code: "RATE_LIMITED",
    details: { limit, retryable: true, retryAfterMs },
  });
}

/** Refuses a call that would not be over before its caller gives up. */
export function tooLate({ kind, name }: Metered, patienceMs: number, waitMs: number, takesMs: number): ToolError {
  const most = `its caller waits ${inWords(patienceMs)} at most`;
  const estimateMs = Math.ceil(waitMs + takesMs);
  if (waitMs === 0)
    return new ToolError(
      `The ${kind} "${name}" would not finish in time: it takes about ${inWords(takesMs)}, and ${most}. ` +
        "Ask for less at once, or wait longer for it.",
      { code: "BUSY", details: { limit: "deadline", retryable: false, estimateMs } },
    );
  const retryAfterMs = toldMs(waitMs);
  return new ToolError(
    `The server is busy: the call would wait for about ${inWords(waitMs)}${takesMs > 0 ? ` and take ${inWords(takesMs)}` : ""}, ` +
      `and ${most}. Try again in ${inWords(retryAfterMs)}, or wait longer for it.`,
    { code: "BUSY", details: { limit: "deadline", retryable: true, retryAfterMs, estimateMs } },
  );
}

/** Ends the wait of a call whose caller waits no longer. */
export function waitedInVain(patienceMs: number, waitMs: number): ToolError {
  const retryAfterMs = toldMs(waitMs);
  return new ToolError(
    `The server is busy: the call has waited for its turn for ${inWords(patienceMs)}, as long as its caller waits. ` +
      `Try again in ${inWords(retryAfterMs)}, or wait longer for it.`,
    { code: "BUSY", details: { limit: "deadline", retryable: true, retryAfterMs } },
  );
}
