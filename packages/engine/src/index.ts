import { REVISIONS } from "./revisions/select.js";

export { limitExceeded, parseError, RpcError } from "./jsonrpc/errors.js";
export type { Json, JsonObject } from "./jsonrpc/json.js";
export type { Id } from "./jsonrpc/messages.js";
export type { Caller, LogLevel } from "./protocol/caller.js";
export {
  audio,
  type Block,
  Content,
  content,
  embeddedResource,
  image,
  resourceLink,
  text,
} from "./protocol/content.js";
export type { Icon, Implementation, ToolAnnotations } from "./protocol/description.js";
export { ToolError } from "./protocol/outcome.js";
export type { InferInput, SchemaSource } from "./schema/schema.js";
export type { Call } from "./server/call.js";
export type { CallReport } from "./server/layers/observe.js";
export type { RateOptions } from "./server/layers/rate.js";
export { DEFAULT_LIMITS, type Limits } from "./server/limits.js";
export type { OpenSession as Session, TransportLink as Link } from "./server/link.js";
export type { Log, LogEntry } from "./server/log.js";
export { type Pack, type PackContents, type PackDefinition, pack } from "./server/pack.js";
export { createServer, type Server } from "./server/server.js";
export type { ServerOptions } from "./server/settings.js";
export { type Tool, type ToolDefinition, type ToolValue, tool } from "./server/tool.js";
export { type MemoryConnection, openMemory } from "./transports/memory.js";
export { serveStdio } from "./transports/stdio.js";
export { type Streams, serveStreams } from "./transports/streams.js";

/** Every protocol revision that a server can speak, newest first; those with a handshake open with `initialize`. */
export const revisions: readonly { readonly version: string; readonly handshake: boolean }[] = Object.freeze(
  REVISIONS.map(({ version, handshake }) => Object.freeze({ version, handshake })),
);
