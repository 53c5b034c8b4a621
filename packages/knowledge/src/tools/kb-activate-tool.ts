import { tool } from "@toolwright/engine";
import { CHANGES_ONCE } from "../annotations.js";
import type { BoundTools } from "../bound-tools/bound-tools.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { describeBoundState } from "./bound-state.js";

/** Lists a bound tool again. */
export const kbActivateTool = (context: KnowledgeContext, bound: BoundTools) =>
  tool({
    name: "kb_activate_tool",
    title: "Switch a bound tool on",
    description: "Lists a registered tool again.",
    toolset: "collections",
    input: {
      type: "object",
      properties: {
        name: { type: "string", description: "Its name." },
      },
      required: ["name"],
      additionalProperties: false,
    },
    annotations: CHANGES_ONCE,
    async run({ name }) {
      const { switchTool } = await import("../bound-tools/register-tool.js");
      return describeBoundState(context, bound, await switchTool(context, name, "active"));
    },
  });
