import type { Metrics } from "../metrics.js";
import type { ServerOptions, Settings } from "../settings.js";
import { Concurrency } from "./concurrency.js";
import type { Meter } from "./meter.js";
import { Observe } from "./observe.js";
import { Rate } from "./rate.js";
import { Timeout } from "./timeout.js";

/** The meters around each call of what authors wrote, outermost first. */
export function createMeters(
  { observe, rate }: ServerOptions,
  { limits, log }: Settings,
  metrics: Metrics,
): readonly Meter[] {
  const report: typeof observe = (call) => {
    try {
      observe?.(call);
    } catch (error) {
      log({ level: "error", message: "observe failed", error });
    }
  };
  return [
    new Observe(metrics, observe && report),
    ...(rate ? [new Rate(rate)] : []),
    new Concurrency(limits.callsInFlight, limits.callsQueued),
    new Timeout(limits),
  ];
}
