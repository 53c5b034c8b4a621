export type {
  Answers,
  FormQuestion,
  ModelAnswer,
  PageQuestion,
  PersonAnswer,
  SampleQuestion,
} from "./client/answers.js";
export type { Change, Wanted } from "./client/changes.js";
export type { Client } from "./client/client.js";
export { connect } from "./client/connect.js";
export type { Progress, RequestOptions } from "./client/connection.js";
export type { ServerFacts } from "./client/era.js";
export { ConnectionFailed, RequestRefused, TimedOut } from "./client/errors.js";
export type { HttpAccess } from "./client/http-courier.js";
export type { Listening } from "./client/listening.js";
export type { CallOptions, ClientOptions, LogLine, Target } from "./client/options.js";
export type { Difference } from "./client/replay/compare.js";
export type { ReplayedRequest } from "./client/replay/judge.js";
export { replay } from "./client/replay/replay.js";
export type { Replay, ReplayOptions } from "./client/replay/replay-options.js";
export type {
  Completion,
  CompletionOf,
  ListedTool,
  PromptResult,
  ReadResult,
  ResourceContents,
  ToolResult,
} from "./client/results.js";
export type { CommandTarget } from "./client/stdio.js";
export type { TaskState } from "./client/tasks.js";
