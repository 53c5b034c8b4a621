import { REVISIONS } from "./revisions/select.js";

export { limitExceeded, parseError, RpcError } from "./jsonrpc/errors.js";
export type { Json, JsonObject } from "./jsonrpc/json.js";
export type { Id } from "./jsonrpc/messages.js";
export type { Caller, LogLevel } from "./protocol/caller.js";
export {
  annotated,
  assistant,
  audio,
  type Block,
  Content,
  content,
  embeddedResource,
  image,
  type PromptMessage,
  resourceLink,
  text,
  user,
} from "./protocol/content.js";
export type { Annotations, Icon, Implementation, ToolAnnotations } from "./protocol/description.js";
export { type CacheHint, type Outcome, ToolError, type ToolResult } from "./protocol/outcome.js";
export type { Trace } from "./protocol/trace.js";
export type { InferInput, SchemaSource } from "./schema/schema.js";
export { type AppCsp, type AppDefinition, type AppPermission, app } from "./server/app.js";
export type {
  Call,
  ModelPreferences,
  Possibility,
  Root,
  Sample,
  SampleMessage,
  SampleOptions,
  SampleRequest,
  SampleTool,
} from "./server/call.js";
export type { Completer, Completers, Suggestions } from "./server/complete.js";
export type { Host } from "./server/host.js";
export type { KeepAliveOptions } from "./server/keep-alive.js";
export type { Layer, LayerRequest } from "./server/layers/layer.js";
export { DEFAULT_LIMITS, type Limits } from "./server/limits.js";
export type { OpenSession as Session, TransportLink as Link } from "./server/link.js";
export type { Log, LogEntry } from "./server/log.js";
export type { Ending } from "./server/meters/meter.js";
export type { CallReport } from "./server/meters/observe.js";
export type { RateOptions } from "./server/meters/rate.js";
export type { Offers } from "./server/offers.js";
export { type Pack, type PackContents, type PackDefinition, pack } from "./server/pack.js";
export { type Prompt, type PromptDefinition, type PromptValue, prompt } from "./server/prompt.js";
export type { Frame, FrameListener, RecorderOptions } from "./server/recorder.js";
export {
  type ListedResource,
  type Resource,
  type ResourceListing,
  type ResourcePiece,
  type ResourceTemplate,
  type ResourceTemplateDefinition,
  type ResourceValue,
  resource,
  resourceTemplate,
} from "./server/resource.js";
export type { ResultsOptions } from "./server/results/options.js";
export { createServer, type Server } from "./server/server.js";
export type { ListCache, ServerOptions } from "./server/settings.js";
export { MemoryTaskStore } from "./server/tasks/memory-store.js";
export type { TaskOptions } from "./server/tasks/options.js";
export { type FinalTask, makeTaskRoom, type TaskLoad } from "./server/tasks/room.js";
export {
  interruptedTask,
  isFinalTask,
  type TaskChange,
  type TaskLimits,
  type TaskOwner,
  type TaskPosition,
  type TaskRecord,
  type TaskStore,
  taskExpiry,
  taskOwnerKey,
} from "./server/tasks/store.js";
export { type Tool, type ToolDefinition, type ToolValue, tool } from "./server/tool.js";
export type { ToolUi } from "./server/tool-ui.js";
export { type ApiKey, hashApiKey } from "./transports/http/auth/api-keys.js";
export type { AuthOptions, Identity, IntrospectionOptions, RequestHead } from "./transports/http/auth/options.js";
export type { FetchContext, FetchHandler } from "./transports/http/fetch-handler.js";
export { DEFAULT_HTTP_LIMITS, type HttpLimits } from "./transports/http/limits.js";
export type { EndpointOptions, HttpRate } from "./transports/http/options.js";
export type { HttpOptions } from "./transports/http/serve-http.js";
export type { SessionRecord, SessionStore, StreamEvent } from "./transports/http/session-store.js";
export { type MemoryConnection, openMemory } from "./transports/memory.js";
export { createFetchHandler, serveHttp, serveUnixSocket, serveWebSocket } from "./transports/serve.js";
export type { Serving } from "./transports/serving.js";
export { serveStdio } from "./transports/stdio.js";
export { type Streams, serveStreams } from "./transports/streams.js";
export type { UnixSocketOptions } from "./transports/unix-socket.js";
export type { WebSocketOptions } from "./transports/websocket/serve-websocket.js";

/** Every protocol revision that a server can speak, newest first; those with a handshake open with `initialize`. */
export const revisions: readonly { readonly version: string; readonly handshake: boolean }[] = Object.freeze(
  REVISIONS.map(({ version, handshake }) => Object.freeze({ version, handshake })),
);
