import { invalidParams } from "../jsonrpc/errors.js";
import type { JsonRpcRequest } from "../jsonrpc/messages.js";
import type { Outcome } from "../protocol/outcome.js";
import type { RequestContext } from "./request-context.js";
import type { ServerState } from "./state.js";

/** A method of the protocol, such as `tools/call`. */
export interface Method {
  /** Whether this server has the feature; without it the method does not exist. */
  isOffered?(state: ServerState): boolean;
  /** Returns the outcome, synchronously where possible. Throws `RpcError` to reject the request. */
  handle(ctx: RequestContext): Outcome | Promise<Outcome>;
}

/** The cursor of a list request. Throws `RpcError` if it is not a string. */
export function readCursor({ params }: JsonRpcRequest): string | undefined {
  const cursor = params?.["cursor"];
  if (cursor !== undefined && typeof cursor !== "string")
    throw invalidParams("Invalid params: cursor must be a string");
  return cursor;
}
