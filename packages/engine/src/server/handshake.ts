import { invalidParams, invalidRequest, lifecycleError } from "../jsonrpc/errors.js";
import { isObject, type JsonObject, type JsonRpcRequest } from "../jsonrpc/messages.js";
import type { Caller, LogLevel } from "../protocol/types.js";
import { negotiateRevision } from "../revisions/negotiation.js";
import type { Revision } from "../revisions/revision.js";
import type { Session } from "./session.js";
import type { ServerState } from "./state.js";

/** The log level of clients that have not set one. */
const DEFAULT_LOG_LEVEL: LogLevel = "info";

/** Reads the params of `initialize` and negotiates the revision. Throws `RpcError` if they are invalid. */
export function readInitialize(
  state: ServerState,
  request: JsonRpcRequest,
  session: Session,
): { revision: Revision; caller: Caller } {
  if (session.revision !== undefined) throw lifecycleError("Already initialized");
  const params = state.settings.inputAliases ? resolveAliases(state, request) : (request.params ?? {});
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== "string") throw invalidParams("Invalid params: protocolVersion must be a string");
  if (!isObject(capabilities)) throw invalidParams("Invalid params: capabilities must be an object");
  if (!isObject(clientInfo) || typeof clientInfo["name"] !== "string" || typeof clientInfo["version"] !== "string") {
    throw invalidParams("Invalid params: clientInfo must be an object with the strings name and version");
  }
  return {
    revision: negotiateRevision(protocolVersion, state.settings.revisions),
    caller: { info: clientInfo, capabilities, logLevel: DEFAULT_LOG_LEVEL },
  };
}

/** Accepts the snake-case members that some older clients send. */
function resolveAliases(state: ServerState, request: JsonRpcRequest): JsonObject {
  const params = { ...request.params };
  for (const [alias, name] of [
    ["protocol_version", "protocolVersion"],
    ["client_info", "clientInfo"],
  ] as const) {
    const value = params[alias];
    if (value === undefined || params[name] !== undefined) continue;
    params[name] = value;
    state.settings.log({ level: "notice", message: `initialize: read ${alias} as ${name}`, requestId: request.id });
  }
  return params;
}

/**
 * The revision of a request that does not carry its own. Throws `RpcError` that says what to send first if the lifecycle does
 * not allow the request yet.
 */
export function requireSession({ settings }: ServerState, request: JsonRpcRequest, session: Session): Revision {
  const { revision } = session;
  const newest = settings.newestHandshake;
  const first = settings.revisions[0] as Revision;
  // Without handshake revisions, the stateless revision reports what the request lacks.
  if (newest === undefined || (revision === undefined && request.method === "server/discover" && !first.handshake))
    return first;
  if (request.method === "ping") return revision ?? newest;
  if (revision === undefined) {
    if (session.assumed !== undefined) return session.assumed;
    if (settings.lifecycle === "off") return newest;
    if (settings.lifecycle === "strict") throw lifecycleError("Server not initialized. Send initialize first.");
    // The newest revision has no handshake.
    const alternative = first.handshake
      ? ""
      : ", or the protocol version and the client's capabilities in params._meta of each request";
    throw invalidRequest(`${request.method} came before initialize. Send initialize first${alternative}`);
  }
  if (!session.isReady && settings.lifecycle === "strict")
    throw lifecycleError("Server not initialized. Send initialized notification first.");
  if (session.isReady || session.isEarlyLogged) return revision;
  // Some clients never send `notifications/initialized` and would hang if rejected, so only strict servers reject them.
  session.isEarlyLogged = true;
  const message = `${request.method} came before notifications/initialized; it is served`;
  settings.log({ level: "notice", message, requestId: request.id });
  return revision;
}
