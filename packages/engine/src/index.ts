import { REVISIONS } from "./revisions/select.js";

export { type Child, type ChildOptions, spawnChild } from "./children/spawn-child.js";
export { internalError, limitExceeded, parseError, RpcError } from "./jsonrpc/errors.js";
export type { Json, JsonObject } from "./jsonrpc/json.js";
export type { Id } from "./jsonrpc/messages.js";
export type { AuditOptions } from "./operation/audit/options.js";
export { createServer } from "./operation/create-server.js";
export { audit, telemetry } from "./operation/layers.js";
export { metricsText } from "./operation/metrics-text.js";
export type { MetricsText } from "./operation/prometheus/write-metrics.js";
export { recordingOf } from "./operation/recording.js";
export { dumpRecording } from "./operation/recording-dump.js";
export type { OpenRecording, RecordOptions } from "./operation/recording-options.js";
export { recordTo } from "./operation/recording-start.js";
export type { TelemetryOptions } from "./operation/telemetry/options.js";
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
  HttpContext,
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
export type { EndedSession, Layer, LayerHost, LayerRequest } from "./server/layers/layer.js";
export { DEFAULT_LIMITS, type Limits } from "./server/limits.js";
export type { OpenSession as Session, TransportLink as Link } from "./server/link.js";
export type { Discovery, Selection } from "./server/lists/selection.js";
export type { Toolset } from "./server/lists/toolsets.js";
export { createLog, type LineLog, type Log, type LogEntry, type LogOptions } from "./server/log.js";
export type { Ending } from "./server/meters/ending.js";
export type { CallReport } from "./server/meters/observe.js";
export type { RateOptions } from "./server/meters/rate.js";
export type { CallLimits } from "./server/meters/share.js";
export type { CallCounts, ServerMetrics } from "./server/metrics.js";
export type { Offers } from "./server/offers.js";
export { type Pack, type PackContents, type PackDefinition, pack } from "./server/pack.js";
export { type Prompt, type PromptDefinition, type PromptValue, prompt } from "./server/prompt.js";
export type { Reconfiguration } from "./server/reconfigure.js";
export type { Frame, FrameListener, FrameSource, RecorderOptions } from "./server/recorder.js";
export { createRedaction, type Redaction, type RedactOptions } from "./server/redact.js";
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
export type { Server } from "./server/server.js";
export type { ListCache, ServerOptions } from "./server/server-options.js";
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
export type { PageAnswer, PageEvents, PageRequest, PageStream, Pages } from "./transports/http/pages.js";
export type { Renewal } from "./transports/http/renew-port.js";
export type { HttpOptions, PortServing } from "./transports/http/serve-http.js";
export type { SessionRecord, SessionStore, StreamEvent } from "./transports/http/session-store.js";
export { type MemoryConnection, openMemory } from "./transports/memory.js";
export { createFetchHandler, serveHttp, serveUnixSocket, serveWebSocket } from "./transports/serve.js";
export type { Serving } from "./transports/serving.js";
export type { StdioFront } from "./transports/stdio/front.js";
export { takeStdio } from "./transports/stdio/take-stdio.js";
export { type ServerLoader, serveStdio } from "./transports/stdio.js";
export { type Streams, serveStreams } from "./transports/streams.js";
export type { UnixSocketOptions } from "./transports/unix-socket.js";
export type { WebSocketOptions } from "./transports/websocket/serve-websocket.js";

/** Every protocol revision that a server can speak, newest first; those with a handshake open with `initialize`. */
export const revisions: readonly { readonly version: string; readonly handshake: boolean }[] = Object.freeze(
  REVISIONS.map(({ version, handshake }) => Object.freeze({ version, handshake })),
);
