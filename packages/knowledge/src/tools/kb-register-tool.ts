import { type PackHost, tool } from "@toolwright/engine";
import { CHANGES } from "../annotations.js";
import type { BoundTools } from "../bound-tools/bound-tools.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { COLLECTION, VERSION } from "./arguments.js";
import { describeBoundState } from "./bound-state.js";

/** Binds a new tool to a collection. */
export const kbRegisterTool = (context: KnowledgeContext, host: Pick<PackHost, "tools">, bound: BoundTools) =>
  tool({
    name: "kb_register_tool",
    title: "Add a tool for a collection",
    description: "Adds a tool that asks one collection.",
    toolset: "collections",
    input: {
      type: "object",
      properties: {
        name: { type: "string", description: "Its name." },
        collection: COLLECTION,
        version: VERSION,
        operation: { enum: ["search", "answer"], description: "Default search." },
        description: { type: "string", description: "When to use it." },
        defaults: { type: "object", description: "Of top_k, mode, filters." },
      },
      required: ["name", "collection"],
      additionalProperties: false,
    },
    annotations: CHANGES,
    async run(options) {
      const { registerTool } = await import("../bound-tools/register-tool.js");
      return describeBoundState(context, bound, await registerTool(context, host, options));
    },
  });
