import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects all garbage now, on whatever runtime this is; Node and Deno show how only to those who ask. */
export const collectGarbage = globalThis.Bun === undefined ? exposed() : () => globalThis.Bun.gc(true);

function exposed() {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}
