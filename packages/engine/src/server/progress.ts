import { encodeId, encodeNotification, type RequestId } from "../jsonrpc/messages.js";
import { getMeta } from "../revisions/revision.js";
import type { RequestContext } from "./request-context.js";
import { monotonicNow } from "./runtime.js";

/** The progress token of a request. Integers that a number cannot represent exactly are ignored: they might match another call. */
export function progressTokenOf({ request }: RequestContext): RequestId | undefined {
  const token = getMeta(request)?.["progressToken"];
  return typeof token === "string" || Number.isSafeInteger(token) ? (token as RequestId) : undefined;
}

/** Sends progress. Values must increase, so a value that does not is replaced by the last one plus a tiny step. */
export function sendProgress(
  ctx: RequestContext,
  token: RequestId,
  value: number,
  message?: string,
  total?: number,
): void {
  const last = ctx.lastProgress ?? Number.NEGATIVE_INFINITY;
  const progress = value > last ? value : last + Math.max(Math.abs(last) * 1e-9, 1e-9);
  if (!Number.isFinite(progress)) return;
  const params = {
    progress,
    ...(total !== undefined && Number.isFinite(total) && { total }),
    ...(typeof message === "string" && { message }),
  };
  const rest = JSON.stringify(ctx.revision.writeProgress(params)).slice(1);
  ctx.lastProgressAt = monotonicNow();
  ctx.lastProgress = progress;
  ctx.send(encodeNotification("notifications/progress", `{"progressToken":${encodeId(token)},${rest}`));
}

/** Sends progress at an interval while a call reports none itself, if the client asked for progress. */
export function startHeartbeat(ctx: RequestContext, intervalMs: number): void {
  const token = progressTokenOf(ctx);
  if (token === undefined) return;
  const startedAt = monotonicNow();
  let timer: NodeJS.Timeout;
  const beat = (): void => {
    if (ctx.taskSink?.isDirect === false) return;
    const now = monotonicNow();
    const silentSince = Math.max(ctx.lastProgressAt, startedAt);
    if (now - silentSince >= intervalMs) {
      const state = ctx.queued !== undefined ? "waiting" : "running";
      sendProgress(ctx, token, 0, `still ${state} (${Math.round((now - startedAt) / 1000)} s)`);
      arm(intervalMs);
    } else arm(intervalMs - (now - silentSince));
  };
  const arm = (waitMs: number): void => {
    timer = setTimeout(beat, Math.ceil(waitMs)).unref();
  };
  arm(intervalMs);
  ctx.onEnd(() => clearTimeout(timer));
}
