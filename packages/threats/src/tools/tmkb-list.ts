import { tool } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import { READS } from "../annotations.js";
import type { Desk } from "../desk.js";
import { filterWords } from "../library/filter-words.js";
import type { Entry, Filter } from "../library/library.js";
import { FAULT, LISTED } from "./output-schemas.js";
import { fitting, toShown } from "./shown.js";

/** Lists the patterns. */
export const tmkbList = ({ library }: Desk) =>
  tool({
    name: "tmkb_list",
    title: "List threat patterns",
    description: "Lists threat patterns; filters combine.",
    toolset: "threats",
    input: {
      type: "object",
      properties: {
        category: { type: "string", description: "Such as authz" },
        severity: { type: "string" },
        tier: { type: "string" },
        language: { type: "string" },
        framework: { type: "string" },
        offset: { type: "integer", minimum: 0, default: 0 },
      },
    },
    output: {
      type: "object",
      properties: {
        patterns: { type: "array", items: LISTED },
        count: { type: "integer" },
        next: { type: "object", properties: { offset: { type: "integer" } }, required: ["offset"] },
        hint: { type: "string" },
        faults: { type: "array", items: FAULT },
      },
      required: ["patterns", "count"],
    },
    annotations: READS,
    async run({ offset, ...filter }) {
      const found = await library.list(filter);
      const patterns = [...fitting(found.slice(offset).map(toShown))];
      const end = offset + patterns.length;
      const hint = found.length === 0 ? hintFor(await library.list(), filter) : undefined;
      const faults = [...fitting(await library.faults(), 4000)];
      return {
        patterns,
        count: found.length,
        ...(end < found.length && { next: { offset: end } }),
        ...(hint !== undefined && { hint }),
        ...(faults.length > 0 && { faults }),
      };
    },
  });

/** A filter that fits nothing gives an empty list; what was mistyped is said beside it. */
function hintFor(all: readonly Entry[], filter: Filter): string | undefined {
  for (const part of ["category", "severity", "tier", "language", "framework"] as const) {
    const word = filter[part];
    const known = filterWords(all, part);
    if (word === undefined || known.includes(word)) continue;
    const meant = nearest(word, known);
    return `There is no ${part} ${JSON.stringify(word)}; ${meant === undefined ? `there are ${known.join(", ")}.` : `did you mean ${meant}?`}`;
  }
  return undefined;
}
