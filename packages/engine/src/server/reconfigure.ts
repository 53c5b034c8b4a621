import { refuseUnknown } from "./known-members.js";
import { DEFAULT_LIMITS, fillLimits, type Limits } from "./limits.js";
import type { Meter } from "./meters/meter.js";
import { type RateOptions, rateFault } from "./meters/rate.js";

/** What can change while a server runs; what is left out goes back to its default. */
export interface Reconfiguration {
  readonly limits?: Partial<Limits>;
  readonly rate?: RateOptions;
}

/** Changes the bounds of a server. Throws `TypeError` that names what is wrong, and has changed nothing then. */
export function reconfigure(
  { settings, meters }: { readonly settings: { readonly limits: Limits }; readonly meters: readonly Meter[] },
  given: Reconfiguration,
): void {
  refuseUnknown("reconfigure the server", given, { limits: true, rate: true });
  const { limits = {}, rate } = given;
  const next = fillLimits("reconfigure the server", DEFAULT_LIMITS, limits);
  const fault = rate && rateFault("rate", rate);
  if (fault !== undefined) throw new TypeError(`Cannot reconfigure the server: ${fault}`);
  Object.assign(settings.limits, next);
  for (const meter of meters) meter.rebound?.({ calls: next.callsInFlight, queued: next.callsQueued, rate });
}
