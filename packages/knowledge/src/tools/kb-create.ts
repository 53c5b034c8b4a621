import { tool } from "@toolwright/engine";
import { CHANGES } from "../annotations.js";
import type { KnowledgeContext } from "../knowledge-context.js";

/** Makes a collection. */
export const kbCreateTool = (context: KnowledgeContext) =>
  tool({
    name: "kb_create",
    title: "Create a collection",
    description: "Creates a collection.",
    toolset: "documents",
    input: {
      type: "object",
      properties: {
        name: { type: "string", description: "Its name." },
        description: { type: "string", description: "What is in it." },
        chunk_size: { type: "integer", minimum: 64, maximum: 4096, description: "Tokens of a passage." },
        chunk_overlap: { type: "integer", minimum: 0, maximum: 1024, description: "Tokens that neighbours share." },
      },
      required: ["name"],
      additionalProperties: false,
    },
    annotations: CHANGES,
    async run(options) {
      const { createCollection } = await import("../collections/create-collection.js");
      const { name, description, chunkSize, chunkOverlap, createdAt } = await createCollection(context, options);
      return { name, description, chunk_size: chunkSize, chunk_overlap: chunkOverlap, created_at: createdAt };
    },
  });
