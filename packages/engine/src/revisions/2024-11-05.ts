import { isObject, type Json } from "../jsonrpc/json.js";
import type { Block } from "../protocol/content.js";
import { without } from "../protocol/description.js";
import { revision20250326 as newer } from "./2025-03-26.js";
import type { Revision } from "./revision.js";

/** The first revision: no annotations of tools, no sound, no words on progress. It follows JSON-RPC, so batches are served. */
export const revision20241105: Revision = {
  ...newer,
  version: "2024-11-05",
  writeCapabilities: (capabilities) => without(newer.writeCapabilities(capabilities), "completions"),
  writeTool: (tool) => without(newer.writeTool(tool), "annotations"),
  writeBlocks: (blocks) => newer.writeBlocks(blocks).map(silentBlock),
  writeProgress: (params) => without(newer.writeProgress(params), "message"),
  writeQuestion: (question) => {
    const params = newer.writeQuestion(question);
    if (question.method === "sampling/createMessage" && (params["messages"] as readonly Json[]).some(isSound))
      throw new Error("the client's revision has no sound in sampling");
    return params;
  },
};

const isSound = (message: Json): boolean =>
  isObject(message) && isObject(message["content"]) && message["content"]["type"] === "audio";

/** Sound travels as an embedded resource, so that its bytes are not lost. */
function silentBlock(block: Block): Block {
  if (block.type !== "audio") return block;
  const { data, mimeType } = block;
  return { type: "resource", resource: { uri: "content:audio", mimeType: mimeType ?? "audio/*", blob: data ?? "" } };
}
