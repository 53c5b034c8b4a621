import { tool } from "@toolwright/engine";
import { CHANGES_ONCE } from "../annotations.js";
import type { BoundTools } from "../bound-tools/bound-tools.js";
import type { Base } from "../knowledge-context.js";
import { toldOf } from "./bound-state.js";

/** Lists a bound tool again. */
export const kbActivateTool = (base: Base, bound: BoundTools) =>
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
      return toldOf(base, bound, await switchTool(base, name, "active"));
    },
  });
