import { encodeError } from "../../jsonrpc/codec.js";
import { internalError, invalidRequest, limitExceeded, type RpcError } from "../../jsonrpc/errors.js";
import type { Id } from "../../jsonrpc/messages.js";
import type { HttpHeaders, HttpReply } from "./host.js";

/** What every JSON answer says of itself. */
export const JSON_TYPE = "application/json";

/** The headers of an answer that is a message and nothing else. Hosts know them by this one object, and write them fast. */
export const JSON_HEADERS: HttpHeaders = Object.freeze({ "content-type": JSON_TYPE });

/** Answers a request that is no message for the server: an error without an id, under a status that says the same. */
export function refuse(reply: HttpReply, status: number, reason: string, headers?: HttpHeaders): void {
  write(reply, status, status < 500 ? invalidRequest(reason) : internalError(reason), headers);
}

/** Answers a request that the server will not finish, because it stops. */
export function refuseStopped(reply: HttpReply): void {
  refuse(reply, 503, "the server is about to stop", { "retry-after": "5", connection: "close" });
}

/** Answers a request that is over a limit; `limit` is the stable name of it. */
export function refuseOver(
  reply: HttpReply,
  status: number,
  limit: string,
  reason: string,
  headers?: HttpHeaders,
): void {
  write(reply, status, limitExceeded(limit, reason), headers);
}

/** Answers a request that needs an event stream where there are too many; `id` is that of the message, where there is one. */
export function refuseStream(reply: HttpReply, id?: Id): void {
  const full = limitExceeded("streams", "there are too many event streams; try again later");
  write(reply, 503, full, { "retry-after": "5" }, id);
}

function write(
  reply: HttpReply,
  status: number,
  { code, message, data }: RpcError,
  headers?: HttpHeaders,
  id?: Id,
): void {
  const body = encodeError(id, { code, message, ...(data && { data }) });
  reply.send(status, { "content-type": JSON_TYPE, ...headers }, body);
}
