import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";

/** How often it is looked. */
const RESOLUTION_MS = 20;

/** By how much the event loop was late, in seconds, since somebody last asked. */
export interface EventLoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

let histogram: IntervalHistogram | undefined;

/** Begins to watch the event loop of the process; further calls change nothing. */
function watchEventLoop(): IntervalHistogram {
  if (histogram !== undefined) return histogram;
  histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return histogram;
}

/** Tells by how much the event loop was late, and begins anew. */
export function readEventLoopDelay(): EventLoopDelay {
  const watched = watchEventLoop();
  // The time between two looks is counted in, though nothing is late in it.
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000);
  const delay = { p50: late(watched.percentile(50)), p99: late(watched.percentile(99)), max: late(watched.max) };
  watched.reset();
  return delay;
}
