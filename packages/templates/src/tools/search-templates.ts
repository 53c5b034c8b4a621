import { tool } from "@toolwright/engine";
import { READ } from "@toolwright/kit/pack";
import type { TemplatesContext } from "../context.js";
import { search } from "../library/search.js";
import { CURSOR, fitToResult, nextCursor, parseCursor, toListed } from "./listing.js";
import { LISTED } from "./schemas.js";

/** Finds templates by words. */
export const searchTemplates = ({ library }: TemplatesContext) =>
  tool({
    name: "search_templates",
    title: "Search templates",
    description:
      "Finds templates whose name, description or parameters contain words, most relevant first. To see all templates of a toolchain, use list_templates.",
    toolset: "templates",
    input: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 1000, description: "Words, such as docker or unit tests." },
        toolchain: { type: "string", description: "Only this toolchain, such as rust." },
        limit: { type: "integer", minimum: 1, maximum: 100, default: 20, description: "Maximum number of results." },
        cursor: CURSOR,
      },
      required: ["query"],
    },
    output: {
      type: "object",
      properties: {
        results: { type: "array", items: LISTED },
        count: { type: "integer" },
        next_cursor: { type: "string" },
      },
      required: ["results", "count"],
    },
    annotations: READ,
    async run({ query, toolchain, limit, cursor }) {
      const hits = search(await library.list({ toolchain }), query);
      const start = parseCursor(cursor);
      const results = fitToResult(
        hits.slice(start, start + limit).map(({ entry, relevance, matched }) => ({
          ...toListed(entry, "full"),
          relevance,
          matched: [...matched],
        })),
      );
      return { results, count: hits.length, ...nextCursor(start + results.length, hits.length) };
    },
  });
