import { setImmediate as others } from "node:timers/promises";

/** How long a thread is worked on before others have a turn. */
const SLICE_MS = 10;

/** Lets others have a turn now and then: what waits only for what is there already never gives one. */
export class Pace {
  #since = performance.now();

  async rest(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS) return;
    await others();
    this.#since = performance.now();
  }
}
