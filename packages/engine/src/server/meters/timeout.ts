import { ToolError } from "../../protocol/outcome.js";
import { monotonic } from "../clock.js";
import { type Limits, LONGEST_WAIT_MS } from "../limits.js";
import type { Meter, Metered } from "./meter.js";

/** Ends calls that run out of time. One timer serves all calls, so a call that is answered in time costs a set entry. */
export class Timeout implements Meter {
  readonly #limits: Pick<Limits, Metered["totalLimit"]>;
  readonly #waiting = new Set<Metered>();
  #timer: NodeJS.Timeout | undefined;
  #due = Number.POSITIVE_INFINITY;

  constructor(limits: Pick<Limits, Metered["totalLimit"]>) {
    this.#limits = limits;
  }

  enter(): boolean {
    return true;
  }

  wait(call: Metered): void {
    const now = monotonic();
    call.startedAt = now;
    call.deadline = now + call.timeoutMs;
    this.#waiting.add(call);
    const due = Math.min(call.deadline, givenUpAt(call));
    if (due < this.#due) this.#arm(due, now);
  }

  leave(call: Metered): void {
    this.#waiting.delete(call);
  }

  #arm(due: number, now: number): void {
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.#sweep(), Math.min(Math.ceil(due - now), LONGEST_WAIT_MS));
    this.#timer.unref();
  }

  #sweep(): void {
    const now = monotonic();
    this.#due = Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    for (const call of this.#waiting) {
      const mostMs = Math.max(this.#limits[call.totalLimit], call.timeoutMs);
      const end = Math.min(call.deadline, call.startedAt + mostMs, givenUpAt(call));
      // A person takes the time they take; it counts for none of the limits.
      const due = call.isAsking ? now + call.timeoutMs : end;
      if (due > now) next = Math.min(next, due);
      else if (givenUpAt(call) <= now) call.stop(givenUp(call, now));
      else if (call.deadline <= now && call.totalLimit === "callTotalMs")
        call.stop(timedOut(call, "callTimeoutMs", call.timeoutMs, now));
      else call.stop(timedOut(call, call.totalLimit, mostMs, now));
    }
    if (next < this.#due) this.#arm(next, now);
  }
}

/** When its caller waits no longer; a task was answered when it began. */
function givenUpAt({ totalLimit, startedAt, patienceMs }: Metered): number {
  return totalLimit === "callTotalMs" ? startedAt + (patienceMs ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
}

function givenUp({ kind, name, startedAt, patienceMs = 0 }: Metered, now: number): ToolError {
  const elapsedMs = Math.round(now - startedAt);
  return new ToolError(
    `The ${kind} "${name}" did not finish: stopped after ${elapsedMs} ms, because its caller waits no longer. ` +
      "Ask for less at once, or wait longer for it.",
    { code: "TIMEOUT", details: { limit: "deadline", elapsedMs, timeoutMs: Math.round(patienceMs) } },
  );
}

function timedOut({ kind, name, startedAt }: Metered, limit: string, timeoutMs: number, now: number): ToolError {
  const elapsedMs = Math.round(now - startedAt);
  const bound = `limit ${timeoutMs} ms ${limit === "callTimeoutMs" ? "without progress" : "in all"}`;
  return new ToolError(
    `The ${kind} "${name}" did not finish: stopped after ${elapsedMs} ms (${bound}). ` +
      `Ask for less at once, or have the timeout of the ${kind} raised.`,
    { code: "TIMEOUT", details: { limit, elapsedMs, timeoutMs } },
  );
}
