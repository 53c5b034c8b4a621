import { encodeId, encodeNotification } from "../jsonrpc/codec.js";
import type { Id, Request } from "../jsonrpc/messages.js";
import { metaOf, type Revision } from "../revisions/revision.js";
import { monotonic } from "./clock.js";

/** A request that can tell how far it has come. */
export interface Reporting {
  readonly request: Request;
  readonly revision: Revision;
  /** When progress was last sent; 0 = never. */
  reportedAt: number;
  /** The value that was last sent; undefined = none. */
  reported: number | undefined;
  send(message: string): void;
}

/** Tokens that JSON numbers cannot hold exactly are passed over: no progress is better than progress for another call. */
export function progressTokenOf({ request }: Pick<Reporting, "request">): Id | undefined {
  const token = metaOf(request)?.["progressToken"];
  return typeof token === "string" || Number.isSafeInteger(token) ? (token as Id) : undefined;
}

/** Sends progress; a value that would not grow is told as one that grows by next to nothing. */
export function sendProgress(call: Reporting, token: Id, value: number, message?: string, total?: number): void {
  const last = call.reported ?? Number.NEGATIVE_INFINITY;
  const progress = value > last ? value : last + Math.max(Math.abs(last) * 1e-9, 1e-9);
  if (!Number.isFinite(progress)) return;
  const params = {
    progress,
    ...(total !== undefined && Number.isFinite(total) && { total }),
    ...(typeof message === "string" && { message }),
  };
  const rest = JSON.stringify(call.revision.writeProgress(params)).slice(1);
  call.reportedAt = monotonic();
  call.reported = progress;
  call.send(encodeNotification("notifications/progress", `{"progressToken":${encodeId(token)},${rest}`));
}
