import { tool } from "@toolwright/engine";
import { CURSOR, nextOffset, offsetOf, READ } from "@toolwright/kit/pack";
import { nearest } from "@toolwright/kit/text";
import type { TemplatesContext } from "../context.js";
import type { Entry } from "../library/library.js";
import { search } from "../library/search.js";
import { fitToResult, listPage, toListed } from "./listing.js";
import { LISTED } from "./schemas.js";

/** Lists the templates. */
export const listTemplates = ({ library }: TemplatesContext) =>
  tool({
    name: "list_templates",
    title: "List templates",
    description: "Lists project file templates and their parameters.",
    toolset: "templates",
    input: {
      type: "object",
      properties: {
        toolchain: { type: "string", description: "Such as rust." },
        category: { type: "string", description: "Such as makefile." },
        variant: { type: "string", description: "cli, lib or service." },
        details: { type: "boolean", description: "Adds JSON Schemas." },
        limit: { type: "integer", description: "Templates per page." },
        cursor: CURSOR,
      },
    },
    output: {
      type: "object",
      properties: {
        templates: { type: "array", items: LISTED },
        count: { type: "integer" },
        next_cursor: { type: "string" },
        hint: { type: "string" },
        errors: {
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
    annotations: READ,
    async run({ toolchain, category, variant, details, cursor, limit }) {
      const filter = { toolchain, category, variant };
      const found = await library.list(filter);
      const isUnfiltered = Object.values(filter).every((word) => word === undefined);
      const detail = details ? "schema" : isUnfiltered ? "summary" : "full";
      const hint = found.length === 0 ? hintFor(await library.list(), filter) : undefined;
      const errors = fitToResult(await library.errors(), 4000);
      return {
        ...listPage(found, { detail, cursor, limit }),
        count: found.length,
        ...(hint !== undefined && { hint }),
        ...(errors.length > 0 && { errors }),
      };
    },
  });

/** Names the part of the filter that no template has. */
function hintFor(all: readonly Entry[], filter: Readonly<Record<string, string | undefined>>): string | undefined {
  for (const part of ["toolchain", "category", "variant"] as const) {
    const word = filter[part];
    const known = [...new Set(all.map((entry) => entry[part]))];
    if (word === undefined || known.includes(word)) continue;
    const suggestion = nearest(word, known);
    return `There is no ${part} ${JSON.stringify(word)}; ${suggestion === undefined ? `known: ${known.join(", ")}.` : `did you mean ${suggestion}?`}`;
  }
  return undefined;
}

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
      const start = offsetOf(cursor);
      const results = fitToResult(
        hits.slice(start, start + limit).map(({ entry, relevance, matched }) => ({
          ...toListed(entry, "full"),
          relevance,
          matched: [...matched],
        })),
      );
      return { results, count: hits.length, ...nextOffset(start + results.length, hits.length) };
    },
  });
