import { isObject, type Json, omit } from "../jsonrpc/messages.js";
import type { ContentBlock } from "../protocol/content.js";
import { revision20250326 as newer } from "./2025-03-26.js";
import type { Revision } from "./revision.js";

/** The first revision: no tool annotations, no audio, no progress messages. Batches are supported as in JSON-RPC. */
export const revision20241105: Revision = {
  ...newer,
  version: "2024-11-05",
  writeCapabilities: (capabilities) => omit(newer.writeCapabilities(capabilities), "completions"),
  writeTool: (tool) => omit(newer.writeTool(tool), "annotations"),
  writeBlocks: (blocks) => newer.writeBlocks(blocks).map(audioToResource),
  writeProgress: (params) => omit(newer.writeProgress(params), "message"),
  writeInputRequest: (request) => {
    const params = newer.writeInputRequest(request);
    if (request.method === "sampling/createMessage" && (params["messages"] as readonly Json[]).some(hasAudio))
      throw new Error("the client's revision does not support audio in sampling");
    return params;
  },
};

const hasAudio = (message: Json): boolean =>
  isObject(message) && isObject(message["content"]) && message["content"]["type"] === "audio";

/** Sends audio as an embedded resource, so that it is not lost. */
function audioToResource(block: ContentBlock): ContentBlock {
  if (block.type !== "audio") return block;
  const { data, mimeType } = block;
  return { type: "resource", resource: { uri: "content:audio", mimeType: mimeType ?? "audio/*", blob: data ?? "" } };
}
