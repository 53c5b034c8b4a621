import type { JsonObject } from "../../src/jsonrpc/messages.js";
import type { ToolError } from "../../src/protocol/outcome.js";
import type { Quota } from "../../src/server/limits/quota.js";
import type { RequestContext } from "../../src/server/request-context.js";
import { monotonicNow } from "../../src/server/runtime.js";

/** A call for tests that records what limiters do with it. */
export type RecordedCall = RequestContext & { readonly events: string[]; readonly stopped: ToolError[] };

interface CallOptions {
  readonly name?: string;
  readonly timeoutMs?: number;
  readonly totalLimit?: RequestContext["totalLimitName"];
  readonly principal?: string;
  readonly session?: object;
  readonly address?: string;
  readonly isSingleRequest?: boolean;
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
  address,
  isSingleRequest = false,
  meta,
  ...options
}: CallOptions = {}): RecordedCall {
  const events: string[] = [];
  const stopped: ToolError[] = [];
  return {
    kind: "tool",
    name,
    principal,
    connection: { principal, session: Object.assign(session, { options: { isSingleRequest } }), address },
    request: { id: 1, method: "tools/call", ...(meta && { params: { _meta: meta } }) },
    quota: options.quota,
    queued: undefined,
    clientTimeoutMs: undefined,
    timeoutMs: options.timeoutMs ?? 100,
    totalLimitName: options.totalLimit ?? "callTotalMs",
    taskSink: options.totalLimit === "taskTotalMs" ? {} : undefined,
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
    onAdmitted() {
      events.push("proceed");
      options.onProceed?.();
    },
    stop: (error: ToolError) => void stopped.push(error),
  } as unknown as RecordedCall;
}
