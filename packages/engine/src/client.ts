export type {
  CallToolResult,
  Client,
  Completion,
  CompletionReference,
  GetPromptResult,
  ListedTool,
  ReadResourceContents,
  ReadResourceResult,
} from "./client/client.js";
export { connect } from "./client/connect.js";
export type { Progress, RequestOptions } from "./client/connection.js";
export { ConnectionError, ResponseError, TimeoutError } from "./client/errors.js";
export type { HttpClientOptions } from "./client/http-request.js";
export type { NegotiatedServer } from "./client/negotiation.js";
export type {
  CallOptions,
  ClientOptions,
  CreateMessageRequest,
  CreateMessageResult,
  ElicitFormRequest,
  ElicitResult,
  ElicitUrlRequest,
  InputHandlers,
  LogMessage,
  Target,
} from "./client/options.js";
export {
  type Difference,
  type ReplayedRequest,
  type ReplayOptions,
  type ReplayReport,
  replay,
} from "./client/replay/replay.js";
export type { TaskState } from "./client/round-trips.js";
export type { CommandTarget } from "./client/stream-transports.js";
export type { Change, Subscription, SubscriptionFilter } from "./client/subscriptions.js";
