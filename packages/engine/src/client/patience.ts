import { TimedOut } from "./errors.js";

/** The longest wait that a timer holds; a longer one would end at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** How long one request is waited for. */
export interface Patience {
  /** Rejects when it is lost: the time is over, or the caller has given up. */
  readonly lost: Promise<never>;
  /** The server has said something: the time without a word starts anew. */
  renew(): void;
  /** The wait is over, whatever came of it. */
  end(): void;
}

/** Begins to wait for the answer to a request. While the server waits for an answer from here, no time passes. */
export function patienceFor(
  method: string,
  limits: {
    readonly timeoutMs?: number;
    readonly totalMs?: number | undefined;
    readonly signal?: AbortSignal | undefined;
  },
  isAsked = (): boolean => false,
): Patience {
  const { timeoutMs = Infinity, totalMs = Infinity, signal } = limits;
  let reject: (reason: unknown) => void = () => undefined;
  const lost = new Promise<never>((_resolve, refuse) => {
    reject = refuse;
  });
  const giveUp = (): void => reject(signal?.reason);
  const start = (ms: number, option: string): NodeJS.Timeout | undefined => {
    if (ms > LONGEST_WAIT_MS) return undefined;
    const timer = setTimeout(() => {
      if (isAsked()) timer.refresh();
      else reject(new TimedOut(`The server did not answer ${method} within ${ms} ms; it was cancelled (${option})`));
    }, ms);
    return timer;
  };
  const silence = start(timeoutMs, "timeoutMs");
  const total = start(totalMs, "totalMs");
  signal?.addEventListener("abort", giveUp, { once: true });
  if (signal?.aborted) giveUp();
  return {
    lost,
    renew: () => silence?.refresh(),
    end: () => {
      clearTimeout(silence);
      clearTimeout(total);
      signal?.removeEventListener("abort", giveUp);
    },
  };
}
