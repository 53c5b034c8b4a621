import type { ServerMetrics } from "@toolwright/engine/observability";

/** How much was called up to one moment. */
interface Sample {
  readonly at: number;
  readonly calls: number;
  readonly failures: number;
  readonly seconds: number;
}

/** What happened between two moments. */
export interface Interval {
  readonly callsPerSecond: number;
  readonly failuresPerSecond: number;
  /** The mean of the calls that ended; 0 where none did. */
  readonly meanMs: number;
}

const EVERY_MS = 5000;
const MOST = 121;

/** Looks at what a server counts from time to time, so that it can be seen how it went. */
export class Samples {
  readonly #metrics: ServerMetrics;
  readonly #samples: Sample[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(metrics: ServerMetrics) {
    this.#metrics = metrics;
    this.#samples.push(this.#look());
    this.#timer = setInterval(() => {
      this.#samples.push(this.#look());
      if (this.#samples.length > MOST) this.#samples.shift();
    }, EVERY_MS).unref();
  }

  /** How it went in the last minutes, the oldest first; the last one ends now. */
  intervals(): readonly Interval[] {
    const all = [...this.#samples, this.#look()];
    return all.slice(1).map((sample, at) => {
      const before = all[at] as Sample;
      const [seconds, calls] = [Math.max(0.001, (sample.at - before.at) / 1000), sample.calls - before.calls];
      return {
        callsPerSecond: calls / seconds,
        failuresPerSecond: (sample.failures - before.failures) / seconds,
        meanMs: calls === 0 ? 0 : ((sample.seconds - before.seconds) / calls) * 1000,
      };
    });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): Sample {
    let [calls, failures, seconds] = [0, 0, 0];
    for (const { outcomes: endings, totalSeconds: spent } of this.#metrics.calls()) {
      calls += endings.ok + endings.failed + endings.refused + endings.cancelled;
      failures += endings.failed + endings.refused;
      seconds += spent;
    }
    return { at: performance.now(), calls, failures, seconds };
  }
}
