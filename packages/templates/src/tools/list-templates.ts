import { tool } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import { READS } from "../annotations.js";
import type { Workshop } from "../context.js";
import type { Entry } from "../library/library.js";
import { fitting, listFitting } from "./listing.js";
import { LISTED } from "./output-schemas.js";

/** Lists the templates. */
export const listTemplates = ({ library }: Workshop) =>
  tool({
    name: "list_templates",
    title: "List templates",
    description:
      "Lists templates of project files; filters combine. details adds the JSON Schema of the parameters as schema.",
    toolset: "templates",
    input: {
      type: "object",
      properties: {
        toolchain: { type: "string" },
        category: { type: "string" },
        variant: { type: "string" },
        details: { type: "boolean", default: false },
        offset: { type: "integer", minimum: 0, default: 0 },
      },
    },
    output: {
      type: "object",
      properties: {
        templates: { type: "array", items: LISTED },
        count: { type: "integer" },
        next: { type: "object", properties: { offset: { type: "integer" } }, required: ["offset"] },
        hint: { type: "string" },
        faults: {
          type: "array",
          items: {
            type: "object",
            properties: { path: { type: "string" }, message: { type: "string" } },
            required: ["path", "message"],
          },
        },
      },
      required: ["templates", "count"],
    },
    annotations: READS,
    async run({ toolchain, category, variant, details, offset }) {
      const filter = { toolchain, category, variant };
      const found = await library.list(filter);
      const isAll = Object.values(filter).every((word) => word === undefined);
      const templates = listFitting(found.slice(offset), details ? "detailed" : isAll ? "short" : "full");
      const end = offset + templates.length;
      const hint = found.length === 0 ? hintFor(await library.list(), filter) : undefined;
      const faults = fitting(await library.faults(), 4000);
      return {
        templates,
        count: found.length,
        ...(end < found.length && { next: { offset: end } }),
        ...(hint !== undefined && { hint }),
        ...(faults.length > 0 && { faults: [...faults] }),
      };
    },
  });

/** A filter that fits nothing gives an empty list, as it always did; what was mistyped is said beside it. */
function hintFor(all: readonly Entry[], filter: Readonly<Record<string, string | undefined>>): string | undefined {
  for (const part of ["toolchain", "category", "variant"] as const) {
    const word = filter[part];
    const known = [...new Set(all.map((entry) => entry[part]))];
    if (word === undefined || known.includes(word)) continue;
    const meant = nearest(word, known);
    return `There is no ${part} ${JSON.stringify(word)}; ${meant === undefined ? `there are ${known.join(", ")}.` : `did you mean ${meant}?`}`;
  }
  return undefined;
}
