import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { VERSION } from "./arguments.js";

/** Shows a document, or a range of it. */
export const kbGetDocumentTool = (context: KnowledgeContext) =>
  tool({
    name: "kb_get_document",
    aliases: ["kb.get_document"],
    title: "Read a document",
    description: "A document's text, or a range of it.",
    toolset: "documents",
    input: {
      type: "object",
      properties: {
        doc_id: { type: "string", description: "Document id." },
        range: {
          type: "object",
          properties: {
            start: { type: "integer", minimum: 0, description: "First." },
            end: { type: "integer", description: "End." },
            unit: { enum: ["characters", "lines"], description: "Lines from 1." },
          },
          required: ["start", "end"],
          description: "Part of the text.",
        },
        version: VERSION,
        chunks: { type: "boolean", description: "List passages." },
      },
      required: ["doc_id"],
      additionalProperties: false,
    },
    annotations: READS,
    // A range is given as text and in the structured content.
    budgetBytes: 16 * 1024 * 1024,
    async run({ doc_id: id, ...options }) {
      const { getDocument } = await import("../collections/get-document.js");
      return { ...(await getDocument(context, id, options)) };
    },
  });
