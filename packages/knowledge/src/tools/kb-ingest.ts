import { tool } from "@toolwright/engine";
import { CHANGES_ONCE } from "../annotations.js";
import type { IngestOptions } from "../ingest/ingest-options.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { COLLECTION } from "./arguments.js";

const METADATA = {
  type: "object",
  additionalProperties: { type: "string" },
  description: "Added to the documents.",
} as const;

/** Takes documents into a collection. */
export const kbIngestTool = (context: KnowledgeContext) =>
  tool({
    name: "kb_ingest",
    title: "Ingest documents",
    description: "Builds a new version from files, folders or texts.",
    toolset: "documents",
    input: {
      type: "object",
      properties: {
        collection: COLLECTION,
        paths: {
          type: "array",
          items: { type: "string" },
          description: "Files or folders.",
        },
        texts: {
          type: "array",
          items: {
            type: "object",
            properties: {
              name: { type: "string", description: "Like a file name." },
              text: { type: "string", description: "Content; empty removes it." },
              title: { type: "string", description: "Title." },
              url: { type: "string", description: "Origin." },
              metadata: METADATA,
            },
            required: ["name", "text"],
          },
          description: "Documents given here.",
        },
        delete_missing: { type: "boolean", default: true, description: "Drop what is gone." },
        force: { type: "boolean", description: "Read unchanged ones too." },
        dry_run: { type: "boolean", description: "Only tell changes." },
        promote: { type: "boolean", default: true, description: "Let it answer." },
        embed: { type: "boolean", default: true, description: "Make vectors." },
        metadata: METADATA,
      },
      required: ["collection"],
      additionalProperties: false,
    },
    annotations: CHANGES_ONCE,
    taskSupport: "optional",
    async run(options, call) {
      const { ingest } = await import("../ingest/ingest.js");
      // The types of what is under other keys are checked, not inferred.
      const result = await ingest(context, call, options as IngestOptions);
      return { ...result, delta: { ...result.delta }, outcomes: result.outcomes.map((outcome) => ({ ...outcome })) };
    },
  });
