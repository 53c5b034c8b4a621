import type { IngestCall, Stage } from "./wish.js";

/** What part of the whole each stage is, in thousandths: from where to where, with a step between, so that each is told of. */
const PARTS: Readonly<Record<Stage, readonly [from: number, to: number]>> = {
  discover: [0, 10],
  read: [20, 490],
  embed: [500, 790],
  index: [800, 950],
  evaluate: [960, 980],
  promote: [990, 1000],
};
const WHOLE = 1000;

/** More often than that nobody can follow. */
const TELL_MS = 100;

/** Tells whoever has called how far a run is, in numbers that only grow. */
export class Progress {
  readonly #call: Pick<IngestCall, "progress">;
  #told = -1;
  #toldAt = Number.NEGATIVE_INFINITY;
  stage: Stage = "discover";
  done = 0;
  total = 0;

  constructor(call: Pick<IngestCall, "progress">) {
    this.#call = call;
  }

  /** Begins a stage, or says how far it is. */
  at(stage: Stage, done: number, total: number, words: string): void {
    const isNew = stage !== this.stage;
    this.stage = stage;
    this.done = done;
    this.total = total;
    const now = performance.now();
    if (!isNew && done < total && now - this.#toldAt < TELL_MS) return;
    const [from, to] = PARTS[stage];
    const value = total === 0 ? from : Math.round(from + ((to - from) * Math.min(done, total)) / total);
    if (value <= this.#told) return;
    this.#told = value;
    this.#toldAt = now;
    this.#call.progress(value, `${stage}: ${words}`, WHOLE);
  }
}
