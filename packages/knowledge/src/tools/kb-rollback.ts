import { tool } from "@toolwright/engine";
import { CHANGES_ONCE } from "../annotations.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { COLLECTION, VERSION } from "./arguments.js";

/** Lets an earlier version answer again. */
export const kbRollbackTool = (context: KnowledgeContext) =>
  tool({
    name: "kb_rollback",
    title: "Roll back",
    description: "Lets an earlier version answer again.",
    toolset: "collections",
    input: {
      type: "object",
      properties: { collection: COLLECTION, version: VERSION },
      required: ["collection"],
      additionalProperties: false,
    },
    annotations: CHANGES_ONCE,
    async run({ collection, version }, call) {
      const { rollBack } = await import("../collections/promote.js");
      const done = await rollBack(context, collection, version, call.signal);
      return { ...done, warnings: [...done.warnings] };
    },
  });
