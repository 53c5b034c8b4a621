import { encodeId, encodeNotification, type JsonRpcRequest, type RequestId } from "../jsonrpc/messages.js";
import { getMeta, type Revision } from "../revisions/revision.js";
import type { QueueState } from "./limits/limiter.js";
import type { TaskSink } from "./request-context.js";
import { monotonicNow } from "./runtime.js";

/** A request that reports progress. */
export interface ProgressReporter {
  readonly request: JsonRpcRequest;
  readonly revision: Revision;
  /** When progress was last sent; 0 = never. */
  lastProgressAt: number;
  /** The value that was last sent; undefined = none. */
  lastProgress: number | undefined;
  send(message: string): void;
}

/** The progress token of a request. Integers that a number cannot represent exactly are ignored: they might match another call. */
export function progressTokenOf({ request }: Pick<ProgressReporter, "request">): RequestId | undefined {
  const token = getMeta(request)?.["progressToken"];
  return typeof token === "string" || Number.isSafeInteger(token) ? (token as RequestId) : undefined;
}

/** Sends progress. Values must increase, so a value that does not is replaced by the last one plus a tiny step. */
export function sendProgress(
  call: ProgressReporter,
  token: RequestId,
  value: number,
  message?: string,
  total?: number,
): void {
  const last = call.lastProgress ?? Number.NEGATIVE_INFINITY;
  const progress = value > last ? value : last + Math.max(Math.abs(last) * 1e-9, 1e-9);
  if (!Number.isFinite(progress)) return;
  const params = {
    progress,
    ...(total !== undefined && Number.isFinite(total) && { total }),
    ...(typeof message === "string" && { message }),
  };
  const rest = JSON.stringify(call.revision.writeProgress(params)).slice(1);
  call.lastProgressAt = monotonicNow();
  call.lastProgress = progress;
  call.send(encodeNotification("notifications/progress", `{"progressToken":${encodeId(token)},${rest}`));
}

/** A call that may send nothing for a long time. */
interface HeartbeatCall extends ProgressReporter {
  onEnd(listener: () => void): () => void;
  readonly taskSink: TaskSink | undefined;
  readonly queueState: QueueState | undefined;
}

/** Sends progress at an interval while a call reports none itself, if the client asked for progress. */
export function startHeartbeat(call: HeartbeatCall, intervalMs: number): void {
  const token = progressTokenOf(call);
  if (token === undefined) return;
  const startedAt = monotonicNow();
  let timer: NodeJS.Timeout;
  const beat = (): void => {
    if (call.taskSink?.isDirect === false) return;
    const now = monotonicNow();
    const silentSince = Math.max(call.lastProgressAt, startedAt);
    if (now - silentSince >= intervalMs) {
      const state = call.queueState?.isWaiting === true ? "waiting" : "running";
      sendProgress(call, token, 0, `still ${state} (${Math.round((now - startedAt) / 1000)} s)`);
      arm(intervalMs);
    } else arm(intervalMs - (now - silentSince));
  };
  const arm = (waitMs: number): void => {
    timer = setTimeout(beat, Math.ceil(waitMs)).unref();
  };
  arm(intervalMs);
  call.onEnd(() => clearTimeout(timer));
}
