import { tool } from "@toolwright/engine";
import { REMOVES } from "../annotations.js";
import type { Base } from "../knowledge-context.js";
import { COLLECTION } from "./arguments.js";

/** Takes a collection away. */
export const kbDeleteTool = (base: Base) =>
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
      return { ...(await deleteCollection(base, collection)) };
    },
  });
