import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Runs a full garbage collection on any runtime. Node and Deno expose `gc` only behind a flag. */
export const collectGarbage = globalThis.Bun === undefined ? exposed() : () => globalThis.Bun.gc(true);

function exposed() {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}
