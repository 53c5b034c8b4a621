import { isObject, type Json, type JsonObject, omit } from "../jsonrpc/messages.js";
import type { ContentBlock } from "../protocol/content.js";
import { HANDSHAKE_METHODS, revision20251125 as newer } from "./2025-11-25.js";
import { omitSubcapabilities, type Revision } from "./revision.js";

/** No icons, no tasks, no description of implementations, and simpler forms. Errors always have an id. */
export const revision20250618: Revision = {
  ...newer,
  version: "2025-06-18",
  polling: false,
  methods: new Set(HANDSHAKE_METHODS),
  unknownId: null,
  taskInitiator: "none",
  invalidArgumentsAreRpcErrors: true,
  writeImplementation: (info) => omit(newer.writeImplementation(info), "icons", "description", "websiteUrl"),
  writeCapabilities: (capabilities) => omit(newer.writeCapabilities(capabilities), "tasks"),
  writeTool: (tool) => omit(newer.writeTool(tool), "icons", "execution"),
  writeResource: (resource) => omit(newer.writeResource(resource), "icons"),
  writePrompt: (prompt) => omit(newer.writePrompt(prompt), "icons"),
  writeBlocks: (blocks) =>
    newer
      .writeBlocks(blocks)
      .map((block) => (block.type === "resource_link" ? (omit(block, "icons") as ContentBlock) : block)),
  requiredCapabilities: (request) => omitSubcapabilities(newer.requiredCapabilities(request)),
  writeInputRequest: (request) => {
    const params = newer.writeInputRequest(request);
    if (request.method === "elicitation/create") return downgradeForm(params);
    if (request.method === "sampling/createMessage") return downgradeSampling(params);
    return params;
  },
};

function downgradeForm(params: JsonObject): JsonObject {
  if (params["mode"] === "url") throw new Error("the client's revision does not support URL elicitation");
  const form = params["requestedSchema"] as JsonObject;
  const fields = Object.entries(form["properties"] as JsonObject);
  const properties = Object.fromEntries(
    fields.map(([name, field]) => [name, downgradeField(name, field as JsonObject)]),
  );
  return { ...params, requestedSchema: { ...form, properties } };
}

/** A message has one block, so several blocks become several messages. Tools are not supported yet. */
function downgradeSampling(params: JsonObject): JsonObject {
  if (params["tools"] !== undefined) throw new Error("the client's revision does not support tools in sampling");
  const messages = (params["messages"] as readonly JsonObject[]).flatMap(({ content, ...message }) =>
    (Array.isArray(content) ? content : [content as Json]).map((block) => ({ ...message, content: block })),
  );
  return { ...params, messages };
}

/** Titled choices become `enum` with `enumNames`, only booleans have a default, and multiple choice is not supported. */
function downgradeField(name: string, field: JsonObject): JsonObject {
  if (field["type"] === "array")
    throw new Error(`the client's revision does not support multiple choice fields ("${name}")`);
  const plain = field["type"] === "boolean" ? field : omit(field, "default");
  const choices = plain["oneOf"];
  if (!Array.isArray(choices)) return plain;
  const titled = choices.filter(isObject);
  return {
    ...omit(plain, "oneOf"),
    enum: titled.map((choice) => choice["const"] as Json),
    enumNames: titled.map((choice) => (choice["title"] ?? choice["const"]) as Json),
  };
}
