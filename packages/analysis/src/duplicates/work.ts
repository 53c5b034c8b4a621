import { setImmediate as nextTurn } from "node:timers/promises";

/** Long work that can be interrupted wherever it yields. */
export type Work<Result> = Generator<undefined, Result, undefined>;

/** How many small steps work takes between two yields. */
export const STEPS = 16_384;

/** How long work runs before other work of the server gets its turn. */
const TURN_MS = 10;

/** Runs work in short turns, so that it does not block the server. Stops on cancellation. */
export async function runInTurns<Result>(work: Work<Result>, signal: AbortSignal): Promise<Result> {
  for (let end = performance.now() + TURN_MS; ; ) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() < end) continue;
    await nextTurn();
    signal.throwIfAborted();
    end = performance.now() + TURN_MS;
  }
}
