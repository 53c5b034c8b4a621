import type { CallLimits, RateOptions, ServerChanges } from "@toolwright/engine/types";
import { type Config, groupOf, valueOf } from "../config/config.js";

/** What bounds all calls of a server together, and can change while it runs. */
export function readBounds(config: Config): ServerChanges {
  const rate = readRate(config, "rate");
  return { limits: { ...groupOf(config, "limits"), ...(rate && { rate }) } };
}

/** A rate is given in full or not at all: that was checked. */
function readRate(config: Config, group: "rate" | "perPrincipal.rate"): RateOptions | undefined {
  const given = groupOf(config, group);
  return "burst" in given ? (given as unknown as RateOptions) : undefined;
}

/** Undefined where nothing is bounded: then nobody has to be told apart at every call. */
export function readShare(config: Config): CallLimits | undefined {
  const calls = valueOf(config, "perPrincipal.calls");
  const rate = readRate(config, "perPrincipal.rate");
  if (calls === undefined && rate === undefined) return undefined;
  return { ...(calls !== undefined && { calls }), ...(rate && { rate }) };
}
