import { tool } from "@toolwright/engine";
import { REMOVES } from "../annotations.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { COLLECTION } from "./arguments.js";

/** Takes a collection away. */
export const kbDeleteTool = (context: KnowledgeContext) =>
  tool({
    name: "kb_delete",
    title: "Delete a collection",
    description: "Deletes a collection with all versions.",
    toolset: "collections",
    input: {
      type: "object",
      properties: { collection: COLLECTION },
      required: ["collection"],
      additionalProperties: false,
    },
    annotations: REMOVES,
    async run({ collection }) {
      const { deleteCollection } = await import("../collections/create-collection.js");
      return { ...(await deleteCollection(context, collection)) };
    },
  });
