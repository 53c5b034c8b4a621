import type { PatternFault } from "../format/fault.js";
import type { Entry } from "../library/library.js";

/** How many bytes of JSON a result has at most; the rest is for another call. */
const ROOM = 40_000;

/** A pattern as lists show it. */
export function toShown({ id, name, severity, likelihood, tier, category, code, origin, file, replaces }: Entry) {
  return {
    id,
    name,
    severity,
    likelihood,
    tier,
    category,
    languages: [...new Set(code.map(({ language }) => language))],
    origin,
    ...(file !== undefined && { file }),
    ...(replaces === true && { replaces_built_in: true }),
  };
}

/** As many of the values as there is room for, but one at least. */
export function fitting<Value>(values: readonly Value[], room = ROOM): readonly Value[] {
  let used = 0;
  const at = values.findIndex((value) => {
    used += Buffer.byteLength(JSON.stringify(value)) + 1;
    return used > room;
  });
  return at === -1 ? values : values.slice(0, Math.max(1, at));
}

/** How many faults of each kind there are. */
export const countFaults = (faults: readonly PatternFault[]) => {
  const errors = faults.filter(({ severity }) => severity === "error").length;
  return { errors, warnings: faults.length - errors };
};
