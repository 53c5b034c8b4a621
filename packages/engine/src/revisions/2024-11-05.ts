import type { Block } from "../protocol/content.js";
import { without } from "../protocol/description.js";
import { revision20250326 as newer } from "./2025-03-26.js";
import type { Revision } from "./revision.js";

/** The first revision: no annotations of tools, no sound, no words on progress. It follows JSON-RPC, so batches are served. */
export const revision20241105: Revision = {
  ...newer,
  version: "2024-11-05",
  writeTool: (tool) => without(newer.writeTool(tool), "annotations"),
  writeBlocks: (blocks) => newer.writeBlocks(blocks).map(silentBlock),
  writeProgress: (params) => without(newer.writeProgress(params), "message"),
};

/** Sound travels as an embedded resource, so that its bytes are not lost. */
function silentBlock(block: Block): Block {
  if (block.type !== "audio") return block;
  const { data, mimeType } = block;
  return { type: "resource", resource: { uri: "content:audio", mimeType: mimeType ?? "audio/*", blob: data ?? "" } };
}
