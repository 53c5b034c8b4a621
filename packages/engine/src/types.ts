// The types of single options, members and results, for code that names them. Types only: importing it costs nothing.

export type { RequestId } from "./jsonrpc/messages.js";
export type { CacheHint, ErrorHint, ToolErrorOptions, ToolOutcome } from "./protocol/outcome.js";
export type { TraceContext } from "./protocol/request-meta.js";
export type { Annotations, Caller, Icon, Implementation, LogLevel } from "./protocol/types.js";
export type {
  ClientFeature,
  HttpContext,
  ModelPreferences,
  Root,
  SamplingMessage,
  SamplingOptions,
  SamplingRequest,
  SamplingResult,
  SamplingTool,
} from "./server/call.js";
export type { AppCsp, AppPermission, ToolUi } from "./server/definitions/app.js";
export type { Completer, Completers, Suggestions } from "./server/definitions/completion.js";
export type { Definitions } from "./server/definitions/pack.js";
export type { ListedResource, ResourcePage } from "./server/definitions/resource.js";
export type { LargeResultsOptions } from "./server/features/large-results/options.js";
export type { ToolDiscovery, Toolset } from "./server/features/tool-filter.js";
export type { KeepAliveOptions } from "./server/keep-alive.js";
export type { CallOutcome } from "./server/limits/metrics.js";
export type { CallLimits, RateOptions } from "./server/limits/quota.js";
export type { LineLogger, LoggerOptions } from "./server/logging/log.js";
export type { EndedSession, MiddlewareHost } from "./server/middleware.js";
export type { ListCache } from "./server/options.js";
export type { ServerChanges } from "./server/server.js";
export type { ServerLoader } from "./transports/stdio/serve-stdio.js";
