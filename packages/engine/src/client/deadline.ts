import { setTimeout as setTimeoutPromise } from "node:timers/promises";
import { MAX_TIMER_MS } from "../server/limits/limits.js";
import type { RequestOptions } from "./connection.js";
import { TimeoutError } from "./errors.js";

/** A promise with its `resolve` and `reject` functions. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

/** Like `Promise.withResolvers`, which Node.js 20 lacks. */
export function deferred<T>(): Deferred<T> {
  let resolve!: Deferred<T>["resolve"];
  let reject!: Deferred<T>["reject"];
  const promise = new Promise<T>((resolvePromise, rejectPromise) => {
    resolve = resolvePromise;
    reject = rejectPromise;
  });
  return { promise, resolve, reject };
}

/** Waits. Rejects with the signal's reason as soon as it is aborted. */
export async function delay(ms: number, signal?: AbortSignal): Promise<void> {
  await setTimeoutPromise(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
}

/** The time limits of one request while its response is pending. */
export interface Deadline {
  /** Rejects when a timeout passes or the signal is aborted. */
  readonly expired: Promise<never>;
  /** Waits for a promise until the deadline, which it clears. */
  race<T>(promise: Promise<T>): Promise<T>;
  /** Restarts `timeoutMs`. */
  reset(): void;
  /** Stops all timers. */
  clear(): void;
}

/** Starts the timers of a request; infinite ones never fire. While `isPaused` returns true, a timer that fires starts again. */
export function startDeadline(
  method: string,
  { timeoutMs = Infinity, totalTimeoutMs = Infinity, signal }: RequestOptions,
  isPaused = (): boolean => false,
): Deadline {
  const { promise: expired, reject } = deferred<never>();
  const onAbort = (): void => reject(signal?.reason);
  const startTimer = (ms: number, option: string): NodeJS.Timeout | undefined => {
    if (ms > MAX_TIMER_MS) return undefined;
    const timer = setTimeout(() => {
      const message = `The server did not respond to ${method} within ${ms} ms (${option}); it was cancelled`;
      if (isPaused()) timer.refresh();
      else reject(new TimeoutError(message));
    }, ms);
    return timer;
  };
  let idleTimer = startTimer(timeoutMs, "timeoutMs");
  const totalTimer = startTimer(totalTimeoutMs, "totalTimeoutMs");
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();
  const clear = (): void => {
    clearTimeout(idleTimer);
    clearTimeout(totalTimer);
    // Refreshing a cleared timer would start it again.
    idleTimer = undefined;
    signal?.removeEventListener("abort", onAbort);
  };
  return {
    expired,
    race: (promise) => Promise.race([promise, expired]).finally(clear),
    reset: () => idleTimer?.refresh(),
    clear,
  };
}
