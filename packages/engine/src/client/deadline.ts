import { MAX_TIMER_MS } from "../server/limits/limits.js";
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
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** What ends the wait for a response. Infinite timeouts never do. */
export interface Timeouts {
  readonly timeoutMs?: number;
  readonly totalTimeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The time limits of one request while its response is pending. */
export interface Deadline {
  /** Rejects when a timeout passes or the signal is aborted. */
  readonly expired: Promise<never>;
  /** Restarts `timeoutMs`: the server has reported progress. */
  reset(): void;
  /** Stops all timers. */
  clear(): void;
}

/** Starts the timers of a request. While `isPaused` returns true, a timer that fires starts again. */
export function startDeadline(method: string, timeouts: Timeouts, isPaused = (): boolean => false): Deadline {
  const { timeoutMs = Infinity, totalTimeoutMs = Infinity, signal } = timeouts;
  const { promise: expired, reject } = deferred<never>();
  const onAbort = (): void => reject(signal?.reason);
  const startTimer = (ms: number, option: string): NodeJS.Timeout | undefined => {
    if (ms > MAX_TIMER_MS) return undefined;
    const timer = setTimeout(() => {
      if (isPaused()) timer.refresh();
      else
        reject(
          new TimeoutError(`The server did not respond to ${method} within ${ms} ms (${option}); it was cancelled`),
        );
    }, ms);
    return timer;
  };
  let idleTimer = startTimer(timeoutMs, "timeoutMs");
  const totalTimer = startTimer(totalTimeoutMs, "totalTimeoutMs");
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();
  return {
    expired,
    reset: () => idleTimer?.refresh(),
    clear: () => {
      clearTimeout(idleTimer);
      clearTimeout(totalTimer);
      // Refreshing a cleared timer would start it again.
      idleTimer = undefined;
      signal?.removeEventListener("abort", onAbort);
    },
  };
}
