import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import type { Block } from "../protocol/content.js";
import { without } from "../protocol/description.js";
import { revision20251125 as newer } from "./2025-11-25.js";
import type { Revision } from "./revision.js";

/** No icons, no self-description of an implementation, and simpler forms; errors must name an id. */
export const revision20250618: Revision = {
  ...newer,
  version: "2025-06-18",
  unreadableId: null,
  argumentsAreParams: true,
  writeImplementation: (info) => without(newer.writeImplementation(info), "icons", "description", "websiteUrl"),
  writeTool: (tool) => without(newer.writeTool(tool), "icons"),
  writeBlocks: (blocks) =>
    newer
      .writeBlocks(blocks)
      .map((block) => (block.type === "resource_link" ? (without(block, "icons") as Block) : block)),
  writeQuestion: (question) => {
    const params = newer.writeQuestion(question);
    const form = params["requestedSchema"] as JsonObject;
    const fields = Object.entries(form["properties"] as JsonObject);
    const properties = Object.fromEntries(
      fields.map(([name, field]) => [name, simplerField(name, field as JsonObject)]),
    );
    return { ...params, requestedSchema: { ...form, properties } };
  },
};

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
