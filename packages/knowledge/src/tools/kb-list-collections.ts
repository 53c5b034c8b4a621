import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { KnowledgeContext } from "../knowledge-context.js";

/** Lists the collections. */
export const kbListCollectionsTool = (context: KnowledgeContext) =>
  tool({
    name: "kb_list_collections",
    aliases: ["kb.list_collections"],
    title: "List collections",
    description: "Collections with version and health.",
    toolset: "documents",
    input: {
      type: "object",
      properties: {
        filters: {
          type: "object",
          properties: { text: { type: "string", description: "Part of name or description." } },
          description: "Which ones.",
        },
      },
      additionalProperties: false,
    },
    annotations: READS,
    async run({ filters = {} }) {
      const { listCollections } = await import("../collections/stats.js");
      const found = await listCollections(context, filters);
      return {
        collections: found.map(({ collection, version, health, flows, status }) => ({
          id: collection.name,
          name: collection.name,
          version: version?.number ?? null,
          status,
          description: collection.description,
          documents: version?.documents ?? 0,
          chunks: version?.chunks ?? 0,
          health_score: health.score,
          pinned: collection.pinned !== null,
          flows: [...flows],
          last_updated: collection.updatedAt,
        })),
      };
    },
  });
