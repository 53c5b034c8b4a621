import { type JsonRpcRequest, omit } from "../../jsonrpc/messages.js";
import type { Revision } from "../../revisions/revision.js";
import { METHODS } from "../methods.js";
import type { ServerState } from "../state.js";

/** A method named like a tool, served as a call of it. */
export function directMethodToToolCall(
  state: ServerState,
  revision: Revision,
  request: JsonRpcRequest,
): JsonRpcRequest {
  if (
    METHODS.get(revision.methods)?.has(request.method) === true ||
    state.registry.tools.byName.get(request.method) === undefined
  )
    return request;
  const { params = {}, method: name } = request;
  const outside = revision.handshake ? ["_meta"] : ["_meta", "inputResponses", "requestState"];
  const kept = Object.fromEntries(Object.entries(params).filter(([member]) => outside.includes(member)));
  return { ...request, method: "tools/call", params: { ...kept, name, arguments: omit(params, ...outside) } };
}
