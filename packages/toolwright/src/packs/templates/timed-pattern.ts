import type { Script } from "node:vm";

/** How long a pattern may take; the right ones take no part of this, on a busy machine neither. */
const MOST_MS = 200;

/** What patterns are tried in: made once, for it takes a millisecond. */
interface Bench {
  readonly script: Script;
  readonly given: { pattern: string; value: string };
}

let bench: Bench | undefined;

/**
 * Whether a text matches a pattern that a user has written; undefined where that takes too long. A pattern such as ^(a+)+$ can
 * take years, and nothing else would run meanwhile.
 */
export function matchesInTime(pattern: string, value: string): boolean | undefined {
  bench ??= openBench();
  Object.assign(bench.given, { pattern, value });
  try {
    return bench.script.runInContext(bench.given, { timeout: MOST_MS }) as boolean;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  }
}

function openBench(): Bench {
  // Whoever has no templates of their own should not wait for it to load.
  const { createContext, Script: Compiled } = process.getBuiltinModule("node:vm");
  const given = { pattern: "", value: "" };
  createContext(given);
  return { script: new Compiled('new RegExp(pattern, "u").test(value)'), given };
}
