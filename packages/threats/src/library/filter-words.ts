import { SEVERITIES, TIERS } from "../format/pattern.js";
import type { Entry, Filter } from "./library.js";

/** The words that a filter can have: those of the format where it has a list, and else those that some pattern has. */
export function filterWords(all: readonly Entry[], part: keyof Filter): readonly string[] {
  if (part === "severity") return SEVERITIES;
  if (part === "tier") return TIERS;
  return [...new Set(all.flatMap((entry) => wordsOf(entry, part)))].sort();
}

const wordsOf = (entry: Entry, part: "category" | "language" | "framework"): readonly string[] =>
  part === "category" ? [entry.category] : [entry[part], ...entry.code.map((code) => code[part])];
