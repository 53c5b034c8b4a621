import type { JsonObject } from "../../src/jsonrpc/messages.js";
import type { ToolError } from "../../src/protocol/outcome.js";
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
  return {
    kind: "tool",
    name,
    principal,
    connection: { principal, session },
    request: { id: 1, method: "tools/call", ...(meta && { params: { _meta: meta } }) },
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
    proceed() {
      events.push("proceed");
      options.onProceed?.();
    },
    stop: (error) => void stopped.push(error),
  };
}
