import { ToolError, tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { COLLECTION, COLLECTIONS, FILTERS, VERSION } from "./arguments.js";
import { namedCollections } from "./named-collections.js";

/** Finds passages by words and by meaning. */
export const kbHybridSearchTool = (context: KnowledgeContext) =>
  tool({
    name: "kb_hybrid_search",
    aliases: ["kb.hybrid_search"],
    title: "Search",
    description: 'Finds passages by words and meaning; "phrases", AND, OR, NOT, () work.',
    toolset: "documents",
    input: {
      type: "object",
      properties: {
        query: { type: "string", maxLength: 10_000, description: "Words." },
        collection: COLLECTION,
        collection_ids: COLLECTIONS,
        version: VERSION,
        top_k: { type: "integer", minimum: 1, maximum: 100, default: 10, description: "How many." },
        filters: FILTERS,
        mode: { enum: ["hybrid", "words", "vector"], description: "Default hybrid." },
        fusion: { enum: ["weights", "rrf"], description: "Default weights." },
        expand: { type: "boolean", description: "Default true: related words too." },
        explain: { type: "boolean", description: "Show scores." },
        cache_ttl: { type: "integer", minimum: 0, maximum: 86_400, description: "Seconds to keep." },
      },
      required: ["query"],
      additionalProperties: false,
    },
    annotations: READS,
    async run({ collection, collection_ids, version, ...options }, call) {
      const collections = namedCollections({ collection, collection_ids, version });
      if (collections.length === 0)
        throw new ToolError('Cannot search: say where, by "collection" or "collection_ids".', {
          code: "INVALID_ARGUMENT",
        });
      const [{ search }, { checkFilters }] = await Promise.all([
        import("../search/search.js"),
        import("../search/filters.js"),
      ]);
      const filters = checkFilters(options.filters);
      return { ...(await search(context, { ...options, filters, collections, signal: call.signal })) };
    },
  });
