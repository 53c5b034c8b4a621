import type { Json, JsonObject } from "../../src/jsonrpc/messages.js";
import type { ToolError } from "../../src/protocol/outcome.js";
import { REVISIONS } from "../../src/revisions/negotiation.js";
import type { LimitedCall } from "../../src/server/limits/limiter.js";
import type { CallOutcome } from "../../src/server/limits/metrics.js";
import type { Quota } from "../../src/server/limits/quota.js";
import { monotonicNow } from "../../src/server/runtime.js";

/** A call for tests that records what limiters do with it. */
export interface RecordedCall extends LimitedCall {
  isWaitingForClient: boolean;
  outcome: CallOutcome;
  readonly events: string[];
  readonly stopped: ToolError[];
  /** The progress messages that were sent to its client. */
  readonly progress: Json[];
}

interface CallOptions {
  readonly name?: string;
  readonly timeoutMs?: number;
  readonly totalLimit?: LimitedCall["totalLimitName"];
  readonly principal?: string;
  readonly session?: object;
  readonly quota?: Quota;
  readonly meta?: JsonObject;
  /** Called when the call may proceed. */
  readonly onProceed?: () => void;
}

const ONE_SESSION = {};

/** Creates a recorded call. */
export function recordedCall({
  name = "a",
  principal,
  session = ONE_SESSION,
  meta,
  ...options
}: CallOptions = {}): RecordedCall {
  const events: string[] = [];
  const stopped: ToolError[] = [];
  const progress: Json[] = [];
  return {
    kind: "tool",
    name,
    principal,
    connection: { principal, session },
    request: { id: 1, method: "tools/call", ...(meta && { params: { _meta: meta } }) },
    revision: REVISIONS[0] as LimitedCall["revision"],
    lastProgressAt: 0,
    lastProgress: undefined,
    send: (message) => void progress.push((JSON.parse(message) as { params: { message: Json } }).params.message),
    quota: options.quota,
    queueState: undefined,
    clientTimeoutMs: undefined,
    timeoutMs: options.timeoutMs ?? 100,
    totalLimitName: options.totalLimit ?? "callTotalMs",
    deadline: 0,
    acceptedAt: monotonicNow(),
    startedAt: 0,
    isWaitingForClient: false,
    isCounted: false,
    isAdmitted: false,
    outcome: "ok",
    failure: undefined,
    events,
    stopped,
    progress,
    proceed() {
      events.push("proceed");
      options.onProceed?.();
    },
    stop: (error) => void stopped.push(error),
  };
}
