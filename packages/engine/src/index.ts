import { REVISIONS } from "./revisions/negotiation.js";

// What the author of a server needs. Everything else has an entry point of its own: http, sockets, client, testing, tasks,
// observability, transport, and types for the types of single options. Nothing here may import the HTTP transport: a server on
// stdio starts without reading it.

export { createServer } from "./create-server.js";
export { internalError, limitExceeded, RpcError } from "./jsonrpc/errors.js";
export type { Json, JsonObject } from "./jsonrpc/messages.js";
export {
  annotated,
  assistant,
  audio,
  Content,
  type ContentBlock,
  content,
  embeddedResource,
  image,
  type PromptMessage,
  resourceLink,
  text,
  user,
} from "./protocol/content.js";
export { type Outcome, ToolError } from "./protocol/outcome.js";
export type { ToolAnnotations } from "./protocol/types.js";
export type { InferInput, SchemaSource } from "./schema/schema.js";
export type { Call } from "./server/call.js";
export { type AppDefinition, app } from "./server/definitions/app.js";
export { type Pack, type PackContents, type PackDefinition, type PackHost, pack } from "./server/definitions/pack.js";
export { type Prompt, type PromptDefinition, type PromptValue, prompt } from "./server/definitions/prompt.js";
export {
  type Resource,
  type ResourceContents,
  type ResourceTemplate,
  type ResourceTemplateDefinition,
  type ResourceValue,
  resource,
  resourceTemplate,
} from "./server/definitions/resource.js";
export { type Tool, type ToolDefinition, type ToolValue, tool } from "./server/definitions/tool.js";
export type { ToolFilter } from "./server/features/tool-filter.js";
export { DEFAULT_LIMITS, type Limits } from "./server/limits/limits.js";
export { createLogger, type LogEntry, type Logger } from "./server/logging/log.js";
export type { Middleware, MiddlewareRequest } from "./server/middleware.js";
export type { ServerOptions } from "./server/options.js";
export type { Server } from "./server/server.js";
export { serveStdio } from "./transports/stdio/serve-stdio.js";

/**
 * Every protocol revision that a server can speak, newest first; those with a handshake open with `initialize`.
 *
 * @example
 * const { version } = revisions[0];
 */
export const revisions: readonly { readonly version: string; readonly handshake: boolean }[] = Object.freeze(
  REVISIONS.map(({ version, handshake }) => Object.freeze({ version, handshake })),
);
