import { setImmediate as turn } from "node:timers/promises";

/** Long work that can be left for a while wherever it yields. */
export type Work<Result> = Generator<undefined, Result, undefined>;

/** How many small steps work takes from one place to leave it to the next. */
export const STEPS = 16_384;

/** How long others wait at most. */
const TURN_MS = 10;

/** Does work a little at a time, so that whatever else is to be done gets its turn; stops once the signal is given. */
export async function inTurns<Result>(work: Work<Result>, signal: AbortSignal): Promise<Result> {
  for (let end = performance.now() + TURN_MS; ; ) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() < end) continue;
    await turn();
    signal.throwIfAborted();
    end = performance.now() + TURN_MS;
  }
}
