import { ToolError } from "../../protocol/outcome.js";
import type { RequestContext } from "../request-context.js";
import { monotonicNow } from "../runtime.js";
import { type Limits, MAX_TIMER_MS } from "./limits.js";

/** Stops calls that exceed a timeout. All calls share one timer, so a call that ends in time costs only a set entry. */
export class CallTimeouts {
  readonly #limits: Pick<Limits, RequestContext["totalLimitName"]>;
  readonly #pending = new Set<RequestContext>();
  #timer: NodeJS.Timeout | undefined;
  #nextDeadline = Number.POSITIVE_INFINITY;

  constructor(limits: Pick<Limits, RequestContext["totalLimitName"]>) {
    this.#limits = limits;
  }

  /** Starts the timeouts of a call that takes longer than one turn of the event loop. */
  add(call: RequestContext): void {
    const now = monotonicNow();
    call.startedAt = now;
    call.deadline = now + call.timeoutMs;
    this.#pending.add(call);
    const due = Math.min(call.deadline, clientDeadlineOf(call));
    if (due < this.#nextDeadline) this.#arm(due, now);
  }

  delete(call: RequestContext): void {
    this.#pending.delete(call);
  }

  #arm(due: number, now: number): void {
    clearTimeout(this.#timer);
    this.#nextDeadline = due;
    this.#timer = setTimeout(() => this.#stopExpired(), Math.min(Math.ceil(due - now), MAX_TIMER_MS));
    this.#timer.unref();
  }

  #stopExpired(): void {
    const now = monotonicNow();
    this.#nextDeadline = Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    for (const call of this.#pending) {
      const { timeoutMs, totalLimitName } = call;
      const totalMs = Math.max(this.#limits[totalLimitName], timeoutMs);
      const clientDeadline = clientDeadlineOf(call);
      const end = Math.min(call.deadline, call.startedAt + totalMs, clientDeadline);
      // The time that the client takes to respond does not count.
      const due = call.isWaitingForClient ? now + timeoutMs : end;
      if (due > now) next = Math.min(next, due);
      else if (clientDeadline <= now) call.stop(timeoutError(call, "deadline", call.clientTimeoutMs ?? 0, now));
      else if (call.deadline <= now && totalLimitName === "callTotalMs")
        call.stop(timeoutError(call, "callTimeoutMs", timeoutMs, now));
      else call.stop(timeoutError(call, totalLimitName, totalMs, now));
    }
    if (next < this.#nextDeadline) this.#arm(next, now);
  }
}

/** When the client stops waiting. A task has no such deadline: its response was sent when it started. */
const clientDeadlineOf = ({
  taskSink,
  startedAt,
  clientTimeoutMs = Number.POSITIVE_INFINITY,
}: RequestContext): number => (taskSink === undefined ? startedAt + clientTimeoutMs : Number.POSITIVE_INFINITY);

function timeoutError(
  { kind, name, startedAt }: RequestContext,
  limit: "callTimeoutMs" | "deadline" | RequestContext["totalLimitName"],
  timeoutMs: number,
  now: number,
): ToolError {
  const elapsedMs = Math.round(now - startedAt);
  const scope = limit === "callTimeoutMs" ? "without progress" : "in total";
  const [cause, remedy] =
    limit === "deadline"
      ? [", as long as the client waits", "the client's timeout"]
      : [` (limit ${timeoutMs} ms ${scope})`, `the timeout of the ${kind}`];
  return new ToolError(
    `The ${kind} "${name}" did not finish: stopped after ${elapsedMs} ms${cause}. ` +
      `Ask for less at once, or increase ${remedy}.`,
    { code: "TIMEOUT", details: { limit, elapsedMs, timeoutMs: Math.round(timeoutMs) } },
  );
}

/** Stops the requests of a batch that have not finished after this time. A call that continues as a task is answered already. */
export function stopBatchAfter(requests: readonly RequestContext[], timeoutMs: number): void {
  let running = requests.length;
  const timer = setTimeout(() => {
    const message =
      `The batch did not finish within ${timeoutMs} ms, so its unfinished requests were stopped. ` +
      "Send fewer requests at once, or increase limits.batchTimeoutMs.";
    const error = new ToolError(message, { code: "TIMEOUT", details: { limit: "batchTimeoutMs", timeoutMs } });
    for (const request of requests) if (request.taskSink === undefined) request.stop(error);
  }, timeoutMs);
  timer.unref();
  const onEnd = (): void => {
    running -= 1;
    if (running === 0) clearTimeout(timer);
  };
  for (const request of requests) request.onEnd(onEnd);
}
