import { invalidParams } from "../../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../../jsonrpc/messages.js";
import { type ContentBlock, text } from "../../protocol/content.js";
import type { Outcome } from "../../protocol/outcome.js";
import type { ToolDescription } from "../../protocol/types.js";
import type { Revision } from "../../revisions/revision.js";

/**
 * A revision for clients that write the protocol in snake_case: its messages are those of `base` with renamed members, its capabilities
 * are lists, and it has batches.
 */
export const snakeCaseRevision = (base: Revision, version: string): Revision => ({
  ...base,
  version,
  batching: true,
  polling: false,
  unknownId: null,
  taskInitiator: "none",
  writeResult: (outcome, serverInfo) => {
    if (outcome.kind === "tool") return writeToolResult(base, outcome.result);
    const renamed = outcome.kind === "plain" ? { ...outcome, body: renameMembers(outcome.body) } : outcome;
    return base.writeResult(renamed, serverInfo);
  },
  writeImplementation: ({ name, version: own }) => ({ name, version: own }),
  // The lists say which there are, because they may change.
  writeCapabilities: () => ({ tools: [], resources: [], prompts: [], logging: { level: "info" } }),
  writeTool: ({ name, description, inputSchema }: ToolDescription) => ({
    name,
    description,
    input_schema: inputSchema,
  }),
  writeResource: (resource) => renameMembers({ description: "", ...base.writeResource(resource) }),
  writePrompt: ({ name, description = "", arguments: fields = [] }) => ({
    name,
    description,
    arguments: fields.map((field) => ({
      name: field.name,
      description: field.description ?? "",
      required: field.required ?? false,
    })),
  }),
  writeBlocks: (blocks) => base.writeBlocks(blocks).map(renameBlock),
  writeResourceContents: (contents) => base.writeResourceContents(contents).map(renameMembers),
});

/** Removes params that are null: such clients write every member, also those that are not set. */
export function removeNullParams(message: Json): void {
  if (isObject(message) && message["params"] === null) delete message["params"];
}

/** Whether the params of `initialize` are not those of the specification. */
export const isSnakeCaseInitialize = (params: JsonObject = {}): boolean =>
  params["protocolVersion"] === undefined && params["clientInfo"] === undefined;

/** The params of `initialize` with the names of the specification; the version is that of the server. Throws `RpcError`. */
export function readSnakeCaseInitialize(params: JsonObject | undefined, version: string): JsonObject {
  if (params === undefined) throw invalidParams("Missing initialization parameters");
  const { client_info: clientInfo, protocol_version: asked = null } = params;
  if (asked !== null && typeof asked !== "string") throw invalidParams("protocol_version must be a string");
  if (clientInfo === undefined) throw invalidParams("missing field `client_info`");
  // Some clients send them with their name.
  const capabilities = params["capabilities"] ?? (isObject(clientInfo) ? clientInfo["capabilities"] : undefined);
  if (capabilities === undefined) throw invalidParams("missing field `capabilities`");
  return { ...params, protocolVersion: version, clientInfo, capabilities };
}

function writeToolResult(base: Revision, { content, structured, isError, meta }: ToolResult): string {
  const blocks: readonly ContentBlock[] = typeof content === "string" ? [text(content)] : base.writeBlocks(content);
  const json = structured === undefined ? undefined : base.writeStructuredContent(structured);
  const members = JSON.stringify({ content: blocks.map(renameBlock), is_error: isError, _meta: meta }).slice(1, -1);
  return json === undefined ? `{${members}}` : `{${members},"structured_content":${json}}`;
}

type ToolResult = Extract<Outcome, { kind: "tool" }>["result"];

function renameBlock(block: ContentBlock): ContentBlock {
  const { resource } = block;
  return renameMembers(isObject(resource) ? { ...block, resource: renameMembers(resource) } : block) as ContentBlock;
}

const renameMembers = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([name, member]): [string, Json] => [toSnakeCase(name), member]));

const toSnakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
