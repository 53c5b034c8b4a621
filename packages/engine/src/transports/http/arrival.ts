import { InsufficientScope, Stopping } from "../../jsonrpc/errors.js";
import type { Refusal } from "../../server/link.js";
import type { Accepted } from "./accept.js";
import type { Gate, Verified } from "./gate.js";
import type { HttpHeaders, HttpReply, HttpRequest } from "./host.js";
import { JSON_HEADERS } from "./refusals.js";

/** A request that was let in, with all that its answer depends on. */
export interface Arrival {
  readonly request: HttpRequest;
  readonly reply: HttpReply;
  readonly verified: Verified;
  readonly accepted: Accepted;
  readonly gate: Gate | undefined;
}

const NO_HEADERS: HttpHeaders = {};

/** Answers with a message, or with the word that nothing else will come. */
export function respond(
  { request, reply, gate, accepted }: Arrival,
  message: string | undefined,
  refusal?: Refusal,
  headers?: HttpHeaders,
  bytes?: number,
): void {
  const own = headers === undefined ? JSON_HEADERS : { ...JSON_HEADERS, ...headers };
  if (message === undefined) reply.send(202, headers ?? NO_HEADERS);
  else if (refusal === undefined) {
    if (accepted.json) reply.send(200, own, message, bytes);
    else reply.send(200, { ...own, "content-type": "text/event-stream" }, `event: message\ndata: ${message}\n\n`);
  } else if (gate !== undefined && refusal.error instanceof InsufficientScope) {
    const challenge = gate.challenge(request, refusal.error.scopes);
    reply.send(refusal.status, { ...own, "www-authenticate": challenge }, message);
  } else if (refusal.error instanceof Stopping)
    reply.send(
      refusal.status,
      { ...own, ...(refusal.error.data?.["retryable"] === true && { "retry-after": "5" }), connection: "close" },
      message,
    );
  else if (refusal.retryAfterMs === undefined) reply.send(refusal.status, own, message);
  else reply.send(refusal.status, { ...own, "retry-after": String(Math.ceil(refusal.retryAfterMs / 1000)) }, message);
}
