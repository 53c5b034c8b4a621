import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import type { Block } from "../protocol/content.js";
import { without } from "../protocol/description.js";
import { HANDSHAKE_METHODS, revision20251125 as newer } from "./2025-11-25.js";
import { wholeNeeds } from "./needs.js";
import type { Revision } from "./revision.js";

/** No icons, no tasks, no self-description of an implementation, and simpler forms; errors must name an id. */
export const revision20250618: Revision = {
  ...newer,
  version: "2025-06-18",
  polling: false,
  methods: new Set(HANDSHAKE_METHODS),
  unreadableId: null,
  taskChoice: "nobody",
  argumentsAreParams: true,
  writeImplementation: (info) => without(newer.writeImplementation(info), "icons", "description", "websiteUrl"),
  writeCapabilities: (capabilities) => without(newer.writeCapabilities(capabilities), "tasks"),
  writeTool: (tool) => without(newer.writeTool(tool), "icons", "execution"),
  writeResource: (resource) => without(newer.writeResource(resource), "icons"),
  writePrompt: (prompt) => without(newer.writePrompt(prompt), "icons"),
  writeBlocks: (blocks) =>
    newer
      .writeBlocks(blocks)
      .map((block) => (block.type === "resource_link" ? (without(block, "icons") as Block) : block)),
  needs: (question) => wholeNeeds(newer.needs(question)),
  writeQuestion: (question) => {
    const params = newer.writeQuestion(question);
    if (question.method === "elicitation/create") return simplerForm(params);
    if (question.method === "sampling/createMessage") return simplerSample(params);
    return params;
  },
};

function simplerForm(params: JsonObject): JsonObject {
  if (params["mode"] === "url") throw new Error("the client's revision has no pages to open");
  const form = params["requestedSchema"] as JsonObject;
  const fields = Object.entries(form["properties"] as JsonObject);
  const properties = Object.fromEntries(fields.map(([name, field]) => [name, simplerField(name, field as JsonObject)]));
  return { ...params, requestedSchema: { ...form, properties } };
}

/** Each message holds one block, so several blocks become several messages; models cannot use tools yet. */
function simplerSample(params: JsonObject): JsonObject {
  if (params["tools"] !== undefined) throw new Error("the client's revision has no tools in sampling");
  const messages = (params["messages"] as readonly JsonObject[]).flatMap(({ content, ...message }) =>
    (Array.isArray(content) ? content : [content as Json]).map((block) => ({ ...message, content: block })),
  );
  return { ...params, messages };
}

/** Titled choices become `enum` with `enumNames`; only booleans may have a default; several choices cannot be asked for. */
function simplerField(name: string, field: JsonObject): JsonObject {
  if (field["type"] === "array") throw new Error(`the client's revision has no field for several choices ("${name}")`);
  const plain = field["type"] === "boolean" ? field : without(field, "default");
  const choices = plain["oneOf"];
  if (!Array.isArray(choices)) return plain;
  const titled = choices.filter(isObject);
  return {
    ...without(plain, "oneOf"),
    enum: titled.map((choice) => choice["const"] as Json),
    enumNames: titled.map((choice) => (choice["title"] ?? choice["const"]) as Json),
  };
}
