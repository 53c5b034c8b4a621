import { tool } from "@toolwright/engine";
import { CHANGES_ONCE } from "../annotations.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { COLLECTION, VERSION } from "./arguments.js";

/** Lets a version answer, once its gates pass. */
export const kbPromoteTool = (context: KnowledgeContext) =>
  tool({
    name: "kb_promote",
    title: "Promote a version",
    description: "Lets a version answer, once its gates pass.",
    toolset: "collections",
    input: {
      type: "object",
      properties: {
        collection: COLLECTION,
        version: VERSION,
        force: { type: "boolean", description: "Despite failed gates." },
      },
      required: ["collection"],
      additionalProperties: false,
    },
    annotations: CHANGES_ONCE,
    async run({ collection, version, force }, call) {
      const { promote } = await import("../collections/promote.js");
      const done = await promote(context, collection, version, { force, signal: call.signal });
      return { ...done, warnings: [...done.warnings] };
    },
  });
