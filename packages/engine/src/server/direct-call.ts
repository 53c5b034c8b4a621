import type { Request } from "../jsonrpc/messages.js";
import { without } from "../protocol/description.js";
import type { Revision } from "../revisions/revision.js";
import type { Core } from "./core.js";
import { findMethod } from "./methods/table.js";

/** A method named like a tool, served as a call of it. */
export function asToolCall(core: Core, revision: Revision, request: Request): Request {
  if (findMethod(revision, request.method) !== undefined || core.registry.tools.find(request.method) === undefined)
    return request;
  const { params = {}, method: name } = request;
  const outside = revision.handshake ? ["_meta"] : ["_meta", "inputResponses", "requestState"];
  const kept = Object.fromEntries(Object.entries(params).filter(([member]) => outside.includes(member)));
  return { ...request, method: "tools/call", params: { ...kept, name, arguments: without(params, ...outside) } };
}
