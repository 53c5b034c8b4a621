import { tool } from "@toolwright/engine";
import { REMOVES } from "../annotations.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { COLLECTION, VERSION } from "./arguments.js";

/** Writes a collection into a file. */
export const kbExportTool = (context: KnowledgeContext) =>
  tool({
    name: "kb_export",
    title: "Export a collection",
    description: "Writes a version into one file.",
    toolset: "collections",
    input: {
      type: "object",
      properties: {
        collection: COLLECTION,
        version: VERSION,
        path: { type: "string", description: "A .kbpack file." },
        vectors: { type: "boolean", description: "Default true." },
      },
      required: ["collection", "path"],
      additionalProperties: false,
    },
    annotations: REMOVES,
    taskSupport: "optional",
    async run(options, call) {
      const { exportCollection } = await import("../transfer/export-collection.js");
      return { ...(await exportCollection(context, call, options)) };
    },
  });
