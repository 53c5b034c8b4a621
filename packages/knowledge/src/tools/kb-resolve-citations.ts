import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { KnowledgeContext } from "../knowledge-context.js";

/** Says where passages are from, and whether that is still so. */
export const kbResolveCitationsTool = (context: KnowledgeContext) =>
  tool({
    name: "kb_resolve_citations",
    aliases: ["kb.resolve_citations"],
    title: "Resolve citations",
    description: "Cites passages; checks whether sources still say so.",
    toolset: "documents",
    input: {
      type: "object",
      properties: {
        chunk_ids: {
          type: "array",
          items: { type: "string" },
          minItems: 1,
          maxItems: 1000,
          description: "Passage ids.",
        },
        format: {
          enum: ["json", "apa", "mla", "chicago", "ieee", "harvard", "bibtex", "ris"],
          description: "Style; default json.",
        },
      },
      required: ["chunk_ids"],
      additionalProperties: false,
    },
    annotations: READS,
    async run(options, call) {
      const { resolveCitations } = await import("../citations/resolve-citations.js");
      return { ...(await resolveCitations(context, call, options)) };
    },
  });
