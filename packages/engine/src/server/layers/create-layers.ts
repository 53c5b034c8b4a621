import type { ServerOptions, Settings } from "../settings.js";
import { Concurrency } from "./concurrency.js";
import type { Layer } from "./layer.js";
import { Observe } from "./observe.js";
import { Rate } from "./rate.js";
import { Timeout } from "./timeout.js";

/** The layers around each call of what authors wrote, outermost first. */
export function createLayers({ observe, rate }: ServerOptions, { limits, log }: Settings): readonly Layer[] {
  const report: typeof observe = (call) => {
    try {
      observe?.(call);
    } catch (error) {
      log({ level: "error", message: "observe failed", error });
    }
  };
  return [
    ...(observe ? [new Observe(report)] : []),
    ...(rate ? [new Rate(rate)] : []),
    new Concurrency(limits.callsInFlight, limits.callsQueued),
    new Timeout(limits),
  ];
}
