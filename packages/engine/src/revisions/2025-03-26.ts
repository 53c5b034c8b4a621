import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
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
  writeResource: (resource) => withoutAge(without(newer.writeResource(resource), "title", "_meta")),
  writePrompt: (prompt) => {
    const { arguments: fields, ...rest } = without(newer.writePrompt(prompt), "title", "_meta");
    if (!Array.isArray(fields)) return rest;
    return { ...rest, arguments: fields.filter(isObject).map((field) => without(field, "title")) };
  },
  writeBlocks: (blocks) => newer.writeBlocks(blocks).map(plainBlock),
  writeContents: (contents) => newer.writeContents(contents).map((one) => without(one, "_meta")),
  writeStructured: () => undefined,
  writeQuestion: (question) => {
    if (question.method === "elicitation/create") throw new Error("the client's revision has no way to ask");
    const params = newer.writeQuestion(question);
    if (question.method !== "sampling/createMessage") return params;
    const messages = (params["messages"] as readonly JsonObject[]).map((message) => ({
      ...message,
      content: plainBlock(message["content"] as Block),
    }));
    return { ...params, messages };
  },
};

function plainBlock(block: Block): Block {
  if (block.type === "resource_link") {
    return { type: "text", text: `${textOf(block["title"] ?? block["name"])}: ${textOf(block["uri"])}` };
  }
  const bare = withoutAge(without(block, "_meta")) as Block;
  const { resource } = bare;
  return isObject(resource) ? { ...bare, resource: without(resource, "_meta") } : bare;
}

function withoutAge(value: JsonObject): JsonObject {
  const { annotations } = value;
  return isObject(annotations) ? { ...value, annotations: without(annotations, "lastModified") } : value;
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");
