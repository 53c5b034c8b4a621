import { tool } from "@toolwright/engine";
import { CHANGES_ONCE } from "../annotations.js";
import type { BoundTools } from "../bound-tools/bound-tools.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { describeBoundState } from "./bound-state.js";

/** Takes a bound tool off the list. */
export const kbDeactivateTool = (context: KnowledgeContext, bound: BoundTools) =>
  tool({
    name: "kb_deactivate_tool",
    title: "Switch a bound tool off",
    description: "Takes a registered tool off the list.",
    toolset: "collections",
    input: {
      type: "object",
      properties: {
        name: { type: "string", description: "Its name." },
        forget: { type: "boolean", description: "For good." },
      },
      required: ["name"],
      additionalProperties: false,
    },
    annotations: CHANGES_ONCE,
    async run({ name, forget }) {
      const { switchTool } = await import("../bound-tools/register-tool.js");
      return describeBoundState(context, bound, await switchTool(context, name, forget ? "forgotten" : "inactive"));
    },
  });
