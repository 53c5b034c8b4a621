import { isThenable } from "../answer.js";
import { refuseUnknown } from "../known-members.js";
import type { Metrics } from "../metrics.js";
import type { ServerOptions } from "../server-options.js";
import type { Settings } from "../settings.js";
import { Admission } from "./admission.js";
import type { Meter } from "./meter.js";
import { Observe } from "./observe.js";
import { rateFault } from "./rate.js";
import { callLimitsFault } from "./share.js";
import { Timeout } from "./timeout.js";

/** The meters around each call of what authors wrote, outermost first. Throws `TypeError` that names the option at fault. */
export function createMeters(
  { observe, rate, perPrincipal }: ServerOptions,
  { limits, log }: Settings,
  metrics: Metrics,
): readonly Meter[] {
  checkBounds(rate, perPrincipal);
  const failed = (error: unknown): void => log({ level: "error", message: "observe failed", error });
  const report: typeof observe = (call) => {
    try {
      const told: unknown = observe?.(call);
      if (isThenable(told)) told.then(undefined, failed);
    } catch (error) {
      failed(error);
    }
  };
  return [
    new Observe(metrics, log, observe && report),
    new Admission({
      server: { calls: limits.callsInFlight, ...(rate && { rate }) },
      perPrincipal,
      queued: limits.callsQueued,
    }),
    new Timeout(limits),
  ];
}

function checkBounds(rate: ServerOptions["rate"], perPrincipal: ServerOptions["perPrincipal"] = {}): void {
  refuseUnknown("create the server", perPrincipal, { calls: true, rate: true });
  const fault = (rate && rateFault("rate", rate)) ?? callLimitsFault(perPrincipal, "perPrincipal.");
  if (fault !== undefined) throw new TypeError(`Cannot create the server: ${fault}`);
}
