import { isObject, type Json, type JsonObject, omit } from "../jsonrpc/messages.js";
import type { ContentBlock } from "../protocol/content.js";
import { revision20250618 as newer } from "./2025-06-18.js";
import type { Revision } from "./revision.js";

/** Batches; no titles, no structured content, no resource links and no elicitation. */
export const revision20250326: Revision = {
  ...newer,
  version: "2025-03-26",
  batching: true,
  writeImplementation: (info) => omit(newer.writeImplementation(info), "title"),
  writeTool: (tool) => omit(newer.writeTool(tool), "title", "outputSchema", "_meta"),
  writeResource: (resource) => omitLastModified(omit(newer.writeResource(resource), "title", "_meta")),
  writePrompt: (prompt) => {
    const { arguments: fields, ...rest } = omit(newer.writePrompt(prompt), "title", "_meta");
    if (!Array.isArray(fields)) return rest;
    return { ...rest, arguments: fields.filter(isObject).map((field) => omit(field, "title")) };
  },
  writeBlocks: (blocks) => newer.writeBlocks(blocks).map(downgradeBlock),
  writeResourceContents: (contents) => newer.writeResourceContents(contents).map((content) => omit(content, "_meta")),
  writeStructuredContent: () => undefined,
  writeInputRequest: (request) => {
    if (request.method === "elicitation/create") throw new Error("the client's revision does not support elicitation");
    const params = newer.writeInputRequest(request);
    if (request.method !== "sampling/createMessage") return params;
    const messages = (params["messages"] as readonly JsonObject[]).map((message) => ({
      ...message,
      content: downgradeBlock(message["content"] as ContentBlock),
    }));
    return { ...params, messages };
  },
};

function downgradeBlock(block: ContentBlock): ContentBlock {
  if (block.type === "resource_link") {
    return { type: "text", text: `${asText(block["title"] ?? block["name"])}: ${asText(block["uri"])}` };
  }
  const downgraded = omitLastModified(omit(block, "_meta")) as ContentBlock;
  const { resource } = downgraded;
  return isObject(resource) ? { ...downgraded, resource: omit(resource, "_meta") } : downgraded;
}

function omitLastModified(value: JsonObject): JsonObject {
  const { annotations } = value;
  return isObject(annotations) ? { ...value, annotations: omit(annotations, "lastModified") } : value;
}

const asText = (value: Json | undefined): string => (typeof value === "string" ? value : "");
