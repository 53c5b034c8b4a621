import { setMaxListeners } from "node:events";
import type { Call } from "@toolwright/engine";

/** The part of a call that reading a project needs. */
export type ProjectCall = Pick<Call, "signal" | "can" | "roots" | "progress">;

/** The same call for work of which much goes on at once: Node takes it for a leak when many wait for one signal. */
export function widen(call: ProjectCall): ProjectCall {
  const signal = AbortSignal.any([call.signal]);
  setMaxListeners(0, signal);
  return {
    signal,
    can: (what) => call.can(what),
    roots: () => call.roots(),
    progress: (value, message, total) => call.progress(value, message, total),
  };
}
