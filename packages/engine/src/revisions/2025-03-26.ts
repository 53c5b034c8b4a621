import { isObject, type Json } from "../jsonrpc/json.js";
import type { Block } from "../protocol/content.js";
import { without } from "../protocol/description.js";
import { revision20250618 as newer } from "./2025-06-18.js";
import type { Revision } from "./revision.js";

/** Batches; no titles, no structured results, no links to resources, and nobody can be asked. */
export const revision20250326: Revision = {
  ...newer,
  version: "2025-03-26",
  batching: true,
  writeImplementation: (info) => without(newer.writeImplementation(info), "title"),
  writeTool: (tool) => without(newer.writeTool(tool), "title", "outputSchema", "_meta"),
  writeBlocks: (blocks) => newer.writeBlocks(blocks).map(plainBlock),
  writeStructured: () => undefined,
  writeQuestion: () => {
    throw new Error("the client's revision has no way to ask");
  },
};

function plainBlock(block: Block): Block {
  if (block.type === "resource_link") {
    return { type: "text", text: `${textOf(block["title"] ?? block["name"])}: ${textOf(block["uri"])}` };
  }
  const bare = without(block, "_meta") as Block;
  const { annotations, resource } = bare;
  return {
    ...bare,
    ...(isObject(annotations) && { annotations: without(annotations, "lastModified") }),
    ...(isObject(resource) && { resource: without(resource, "_meta") }),
  };
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");
