/** An operation of the file system has not come back in time: a network or cloud drive that hangs, mostly. */
export class TimeoutExceeded extends Error {
  readonly operation: string;
  /** How long it was waited for; 0 where it was not even begun, because earlier ones hang. */
  readonly afterMs: number;

  constructor(operation: string, afterMs: number) {
    super(`Cannot ${operation}: the file system did not answer within ${afterMs} ms`);
    this.name = "TimeoutExceeded";
    this.operation = operation;
    this.afterMs = afterMs;
  }
}

/** How long an operation of the file system is waited for, and which part of the file system it is in. */
export interface TimeoutOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** What hangs in one part does not stop the others. */
  readonly part?: string;
}

/** How many operations of one part are under way at once: each holds one of the four threads that Node has for files. */
const MOST_AT_ONCE = 2;

/** How many may hang altogether; the last thread is for what this process needs itself. */
const MOST_HANGING = 3;

/** What goes on in one part of the file system. */
interface Lane {
  running: number;
  hanging: number;
  readonly waiting: Set<Waiting>;
}

interface Waiting {
  begin(): void;
  refuse(): void;
}

const lanes = new Map<string, Lane>();
let hanging = 0;

/**
 * Waits for an operation of the file system, but not for ever. The system cannot be made to give up on it, so while one hangs the
 * next ones in its part are refused at once: otherwise they would take the last threads with which files elsewhere can still be
 * read. What comes after all, when nobody waits for it any more, is given to `leave`. An operation must not wait for another one
 * of its part. Throws `TimeoutExceeded`, or what the signal was aborted with.
 */
export function withTimeout<Value>(
  { timeoutMs, signal, part = "" }: TimeoutOptions,
  operation: string,
  start: () => Promise<Value>,
  onLate: (late: Value) => unknown = () => undefined,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const lane = lanes.get(part) ?? { running: 0, hanging: 0, waiting: new Set() };
    if (lane.hanging > 0 || hanging >= MOST_HANGING) throw new TimeoutExceeded(operation, 0);
    lanes.set(part, lane);
    let state: "waiting" | "running" | "left" = "waiting";
    let isHanging = false;

    const giveUp = (reason: unknown): void => {
      if (state === "waiting") clearTimeout(timer);
      // Whether it hangs is still of interest, but no reason to keep the process.
      else timer.unref();
      state = "left";
      lane.waiting.delete(waiting);
      signal?.removeEventListener("abort", stop);
      reject(reason);
    };
    const stop = (): void => giveUp(signal?.reason);
    const timer = setTimeout(() => {
      if (!lane.waiting.has(waiting)) {
        isHanging = true;
        hang(lane);
      }
      giveUp(new TimeoutExceeded(operation, timeoutMs));
    }, timeoutMs);

    const settle = (end: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      finish(part, lane, isHanging);
      end();
    };
    const waiting: Waiting = {
      refuse: () => giveUp(new TimeoutExceeded(operation, 0)),
      begin: () => {
        state = "running";
        lane.running += 1;
        invoke(start).then(
          (value) => settle(() => (state === "left" ? void leaveLate(onLate, value) : resolve(value))),
          (error: unknown) => settle(() => reject(error)),
        );
      },
    };
    signal?.addEventListener("abort", stop, { once: true });
    if (lane.running < MOST_AT_ONCE) waiting.begin();
    else lane.waiting.add(waiting);
  });
}

/** What is thrown before the first wait is an end like any other. */
const invoke = async <Value>(start: () => Promise<Value>): Promise<Value> => start();

/** Errors are ignored: nobody waits for the result any more. */
async function leaveLate<Value>(onLate: (late: Value) => unknown, value: Value): Promise<void> {
  await invoke(async () => onLate(value)).catch(() => undefined);
}

function hang(lane: Lane): void {
  hanging += 1;
  lane.hanging += 1;
  for (const each of lane.waiting) each.refuse();
}

function finish(part: string, lane: Lane, isHanging: boolean): void {
  lane.running -= 1;
  if (isHanging) {
    lane.hanging -= 1;
    hanging -= 1;
  }
  const [next] = lane.waiting;
  if (next !== undefined) {
    lane.waiting.delete(next);
    next.begin();
  } else if (lane.running === 0) lanes.delete(part);
}
