import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { COLLECTION } from "./arguments.js";
import { notPromoted, toShownVersion } from "./shown.js";

/** Lists the versions of a collection. */
export const kbVersionsTool = (context: KnowledgeContext) =>
  tool({
    name: "kb_versions",
    title: "List versions",
    description: "Versions, newest first.",
    toolset: "collections",
    input: {
      type: "object",
      properties: { collection: COLLECTION },
      required: ["collection"],
      additionalProperties: false,
    },
    annotations: READS,
    async run({ collection: name }) {
      const { listVersions } = await import("../collections/find-collection.js");
      const { collection, versions, waiting } = await listVersions(context, name);
      const { active, pinned } = collection;
      return {
        collection: name,
        active,
        pinned,
        ...(waiting !== null && { note: notPromoted(waiting) }),
        versions: versions.map(toShownVersion),
      };
    },
  });
