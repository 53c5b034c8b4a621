import { monotonic } from "./clock.js";
import type { Lifetime } from "./lifetime.js";
import type { Place } from "./meters/meter.js";
import { progressTokenOf, type Reporting, sendProgress } from "./progress.js";
import type { Afterlife } from "./work.js";

/** A call that may be silent for long. */
interface Silent extends Reporting {
  readonly lifetime: Lifetime;
  readonly afterlife: Afterlife | undefined;
  readonly place: Place | undefined;
}

/** Tells a client that wants to hear of progress that its call still runs, each time the call was silent for so long. */
export function startHeartbeat(call: Silent, everyMs: number): void {
  const token = progressTokenOf(call);
  if (token === undefined) return;
  const startedAt = monotonic();
  let timer: NodeJS.Timeout;
  const beat = (): void => {
    if (call.afterlife?.isHeard === false) return;
    const now = monotonic();
    const silentSince = Math.max(call.reportedAt, startedAt);
    if (now - silentSince >= everyMs) {
      const state = call.place?.isWaiting === true ? "waiting" : "running";
      sendProgress(call, token, 0, `still ${state} (${Math.round((now - startedAt) / 1000)} s)`);
      arm(everyMs);
    } else arm(everyMs - (now - silentSince));
  };
  const arm = (waitMs: number): void => {
    timer = setTimeout(beat, Math.ceil(waitMs)).unref();
  };
  arm(everyMs);
  call.lifetime.whenOver(() => clearTimeout(timer));
}
