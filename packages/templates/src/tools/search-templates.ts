import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Workshop } from "../context.js";
import { search } from "../library/search.js";
import { fitting, toListed } from "./listing.js";
import { LISTED } from "./output-schemas.js";

/** Finds templates by words. */
export const searchTemplates = ({ library }: Workshop) =>
  tool({
    name: "search_templates",
    title: "Search templates",
    description: "Finds templates whose name, description or parameters have the words, the most relevant first.",
    toolset: "templates",
    input: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 1000 },
        toolchain: { type: "string" },
        limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
      },
      required: ["query"],
    },
    output: {
      type: "object",
      properties: { results: { type: "array", items: LISTED }, count: { type: "integer" } },
      required: ["results", "count"],
    },
    annotations: READS,
    async run({ query, toolchain, limit }) {
      const hits = search(await library.list({ toolchain }), query);
      const shown = hits.slice(0, limit).map(({ entry, relevance, matched }) => ({
        ...toListed(entry, "full"),
        relevance,
        matched: [...matched],
      }));
      return { results: [...fitting(shown)], count: hits.length };
    },
  });
