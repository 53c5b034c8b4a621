import { tool } from "@toolwright/engine";
import { CHANGES_ONCE } from "../annotations.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { COLLECTION, VERSION } from "./arguments.js";

/** Pins a version, or lets go of it. */
export const kbPinTool = (context: KnowledgeContext) =>
  tool({
    name: "kb_pin",
    title: "Pin a version",
    description: "Keeps one version answering, whatever is promoted.",
    toolset: "collections",
    input: {
      type: "object",
      properties: {
        collection: COLLECTION,
        version: VERSION,
        unpin: { type: "boolean", description: "Let go of it." },
      },
      required: ["collection"],
      additionalProperties: false,
    },
    annotations: CHANGES_ONCE,
    async run({ collection, version, unpin }, call) {
      const { pin } = await import("../collections/promote.js");
      return { ...(await pin(context, collection, unpin ? null : version, call.signal)) };
    },
  });
