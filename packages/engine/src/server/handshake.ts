import { invalidParams, lifecycleError } from "../jsonrpc/errors.js";
import { isObject, type JsonObject, type JsonRpcRequest } from "../jsonrpc/messages.js";
import type { Caller, LogLevel } from "../protocol/types.js";
import { negotiateRevision } from "../revisions/negotiation.js";
import type { Revision } from "../revisions/revision.js";
import { isSnakeCaseInitialize, readSnakeCaseInitialize } from "./compat/snake-case.js";
import type { ServerSettings } from "./options.js";
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
  if (session.revision !== undefined) throw lifecycleError("ALREADY_INITIALIZED", "Already initialized");
  const { snakeCase, inputAliases, revisions } = state.settings;
  const isSnakeCase = snakeCase !== undefined && isSnakeCaseInitialize(request.params);
  const params = isSnakeCase
    ? readSnakeCaseInitialize(request.params, snakeCase.version)
    : inputAliases
      ? resolveAliases(state, request)
      : (request.params ?? {});
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== "string") throw invalidParams("Invalid params: protocolVersion must be a string");
  if (!isObject(capabilities)) throw invalidParams("Invalid params: capabilities must be an object");
  if (JSON.stringify(capabilities).length > MAX_CAPABILITIES)
    throw invalidParams(`Invalid params: capabilities must have at most ${MAX_CAPABILITIES} characters of JSON`);
  if (!isObject(clientInfo) || typeof clientInfo["name"] !== "string" || typeof clientInfo["version"] !== "string") {
    throw invalidParams("Invalid params: clientInfo must be an object with the strings name and version");
  }
  return {
    revision: isSnakeCase ? snakeCase : negotiateRevision(protocolVersion, revisions),
    caller: { info: limitClientInfo(clientInfo), capabilities, logLevel: DEFAULT_LOG_LEVEL },
  };
}

/** A session keeps at most this much of what a client says about itself, as characters of JSON. */
const MAX_CLIENT_INFO = 4096;
const MAX_CAPABILITIES = 16_384;
const MAX_CLIENT_NAME = 200;

/** The client information without what makes it too large, such as icons. */
function limitClientInfo(info: JsonObject): JsonObject {
  if (JSON.stringify(info).length <= MAX_CLIENT_INFO) return info;
  const short = ["name", "version", "title"].flatMap((member): [string, string][] => {
    const value = info[member];
    // A slice would keep the long text in memory; a copy does not.
    return typeof value === "string" ? [[member, structuredClone(value.slice(0, MAX_CLIENT_NAME))]] : [];
  });
  return Object.fromEntries(short);
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
  if (request.method === "ping" && settings.lifecycle !== "strict-ping") return revision ?? newest;
  if (revision === undefined) {
    if (session.assumed !== undefined) return session.assumed;
    if (settings.lifecycle === "off") return newest;
    if (isStrict(settings)) throw lifecycleError("NOT_INITIALIZED", "Server not initialized. Send initialize first.");
    // The newest revision has no handshake.
    const alternative = first.handshake
      ? ""
      : ", or the protocol version and the client's capabilities in params._meta of each request";
    throw lifecycleError(
      "NOT_INITIALIZED",
      `Invalid request: ${request.method} came before initialize. Send initialize first${alternative}`,
    );
  }
  // A client may choose what it is told about before it is ready.
  if (session.isReady || (settings.clientLog && request.method === "logging/setLevel")) return revision;
  if (isStrict(settings))
    throw lifecycleError("NOT_INITIALIZED", "Server not initialized. Send initialized notification first.");
  if (session.isEarlyLogged) return revision;
  // Some clients never send `notifications/initialized` and would hang if rejected, so only strict servers reject them.
  session.isEarlyLogged = true;
  const message = `${request.method} came before notifications/initialized; it is served`;
  settings.log({ level: "notice", message, requestId: request.id });
  return revision;
}

const isStrict = ({ lifecycle }: ServerSettings): boolean => lifecycle === "strict" || lifecycle === "strict-ping";
