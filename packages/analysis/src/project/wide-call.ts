import { setMaxListeners } from "node:events";
import type { Call } from "@toolwright/engine";

/** The part of a call that reading a project needs. */
export type ProjectCall = Pick<Call, "signal" | "supports" | "roots" | "progress">;

/** Makes a call fit for work of which much goes on at once: Node takes it for a leak when many wait for one signal. */
export function widen({ signal }: ProjectCall): void {
  setMaxListeners(0, signal);
}
