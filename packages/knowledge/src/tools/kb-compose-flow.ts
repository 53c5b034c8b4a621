import { tool } from "@toolwright/engine";
import { CHANGES_ONCE, READS } from "../annotations.js";
import type { Flow } from "../flows/flow.js";
import type { KnowledgeContext } from "../knowledge-context.js";

/** Runs several steps under one name. */
export const kbComposeFlowTool = (context: KnowledgeContext) =>
  tool({
    name: "kb_compose_flow",
    aliases: ["kb.compose_flow"],
    title: "Run a flow",
    description: "Runs search-and-cite, compare-versions, brief or your own flow.",
    toolset: "documents",
    input: {
      type: "object",
      properties: {
        flow_id: { type: "string", description: "Which." },
        params: { type: "object", description: "query, collection, …" },
        flow: { type: "object", description: "Your own: id, steps [{id, do, with}]." },
      },
      additionalProperties: false,
    },
    annotations: context.settings.read_only ? READS : CHANGES_ONCE,
    async run({ flow_id, params, flow }, call) {
      const { composeFlow } = await import("../flows/compose-flow.js");
      const options = { flow_id, params, flow: flow as Flow | undefined };
      return { ...(await composeFlow(context, call, options)) };
    },
  });
