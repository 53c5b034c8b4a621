import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { COLLECTION, COLLECTIONS, VERSION } from "./arguments.js";
import { namedCollections } from "./named-collections.js";

/** Answers in the words of the documents. */
export const kbAnswerTool = (context: KnowledgeContext) =>
  tool({
    name: "kb_answer",
    aliases: ["kb.answer"],
    title: "Answer",
    description: "Answers in quoted sentences with citations, or refuses.",
    toolset: "documents",
    input: {
      type: "object",
      properties: {
        query: { type: "string", maxLength: 10_000, description: "Question." },
        collection: { ...COLLECTION, description: "Default: all." },
        collection_ids: COLLECTIONS,
        version: VERSION,
        top_k: { type: "integer", minimum: 1, maximum: 50, default: 8, description: "Passages read." },
        filters: { type: "object", description: "As kb_hybrid_search." },
      },
      required: ["query"],
      additionalProperties: false,
    },
    annotations: READS,
    async run({ collection, collection_ids, version, filters, ...options }, call) {
      const [{ answer }, { allCollections }, { checkFilters }] = await Promise.all([
        import("../answers/answer.js"),
        import("../answers/answer.js"),
        import("../search/filters.js"),
      ]);
      const named = namedCollections({ collection, collection_ids, version });
      const collections = named.length > 0 ? named : await allCollections(context, version);
      const wanted = { ...options, filters: checkFilters(filters), collections, signal: call.signal };
      return { ...(await answer(context, wanted)) };
    },
  });
