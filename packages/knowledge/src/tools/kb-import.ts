import { tool } from "@toolwright/engine";
import { CHANGES_ONCE } from "../annotations.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { COLLECTION } from "./arguments.js";

/** Makes a collection, or a version, of a file. */
export const kbImportTool = (context: KnowledgeContext) =>
  tool({
    name: "kb_import",
    title: "Import a collection",
    description: "Reads an exported file into a collection.",
    toolset: "collections",
    input: {
      type: "object",
      properties: {
        path: { type: "string", description: "A .kbpack file." },
        name: { ...COLLECTION, description: "Default: its own." },
      },
      required: ["path"],
      additionalProperties: false,
    },
    annotations: CHANGES_ONCE,
    taskSupport: "optional",
    async run(options, call) {
      const { importCollection } = await import("../transfer/import-collection.js");
      const { licenses, warnings, ...result } = await importCollection(context, call, options);
      return { ...result, licenses: { ...licenses }, warnings: [...warnings] };
    },
  });
