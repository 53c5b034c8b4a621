import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { COLLECTION, VERSION } from "./arguments.js";
import { toShownStats } from "./shown.js";

/** Shows the numbers of one collection, or of all. */
export const kbStatsTool = (context: KnowledgeContext) =>
  tool({
    name: "kb_stats",
    aliases: ["kb.stats"],
    title: "Collection numbers",
    description: "Counts, size, health and quality of one or all collections.",
    toolset: "documents",
    input: {
      type: "object",
      properties: { collection: COLLECTION, version: VERSION },
      additionalProperties: false,
    },
    annotations: READS,
    async run({ collection, version }) {
      const { readCollectionStats, readAllStats } = await import("../collections/stats.js");
      const found =
        collection === undefined
          ? await readAllStats(context)
          : [await readCollectionStats(context, collection, version)];
      return { collections: found.map(toShownStats) };
    },
  });
