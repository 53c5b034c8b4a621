import { invalidParams, invalidRequest, wrongState } from "../jsonrpc/errors.js";
import { isObject, type JsonObject } from "../jsonrpc/json.js";
import type { Request } from "../jsonrpc/messages.js";
import type { Caller, LogLevel } from "../protocol/caller.js";
import type { Revision } from "../revisions/revision.js";
import { negotiate } from "../revisions/select.js";
import type { Core } from "./core.js";
import type { Session } from "./session.js";
import type { Settings } from "./settings.js";

/** What a client of the handshake era hears before it has set a level. */
const FIRST_LEVEL: LogLevel = "info";

/** Who opens the session, and the revision to speak with them. Throws `RpcError` for a handshake that cannot be. */
export function readInitialize(core: Core, request: Request, session: Session): { revision: Revision; caller: Caller } {
  if (session.revision !== undefined) throw wrongState("Already initialized");
  const params = core.settings.inputAliases ? withoutAliases(core, request) : (request.params ?? {});
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== "string") throw invalidParams("Invalid params: protocolVersion must be a string");
  if (!isObject(capabilities)) throw invalidParams("Invalid params: capabilities must be an object");
  if (!isObject(clientInfo) || typeof clientInfo["name"] !== "string" || typeof clientInfo["version"] !== "string") {
    throw invalidParams("Invalid params: clientInfo must be an object with the strings name and version");
  }
  return {
    revision: negotiate(protocolVersion, core.settings.revisions),
    caller: { info: clientInfo, capabilities, logLevel: FIRST_LEVEL },
  };
}

/** Some older clients spell the members of `initialize` in snake case: read, never written. */
function withoutAliases(core: Core, request: Request): JsonObject {
  const params = { ...request.params };
  for (const [alias, name] of [
    ["protocol_version", "protocolVersion"],
    ["client_info", "clientInfo"],
  ] as const) {
    const given = params[alias];
    if (given === undefined || params[name] !== undefined) continue;
    params[name] = given;
    core.settings.log({ level: "notice", message: `initialize: read ${alias} as ${name}`, requestId: request.id });
  }
  return params;
}

/**
 * The revision in which a request of the handshake era is served. Throws `RpcError` that says what to do first where the
 * lifecycle does not allow it yet.
 */
export function requireSession({ settings }: Core, request: Request, session: Session): Revision {
  const { revision } = session;
  const newest = settings.newestHandshake;
  const first = settings.revisions[0] as Revision;
  // Where no handshake can help, the stateless revision is the one to say what the request lacks.
  if (newest === undefined || (revision === undefined && request.method === "server/discover" && !first.handshake))
    return first;
  if (request.method === "ping") return revision ?? newest;
  if (revision === undefined) {
    if (session.assumed !== undefined) return session.assumed;
    if (settings.lifecycle === "off") return newest;
    if (settings.lifecycle === "strict") throw wrongState("Server not initialized. Send initialize first.");
    // The newest revision is the one without a handshake.
    const other = first.handshake
      ? ""
      : ", or the protocol version and the client's capabilities in params._meta of each request";
    throw invalidRequest(`${request.method} came before initialize. Send initialize first${other}`);
  }
  if (!session.isReady) noteEarly(settings, request, session);
  return revision;
}

/** Some clients never send `notifications/initialized` and would hang on a refusal, so only strict servers refuse. */
function noteEarly({ lifecycle, log }: Settings, { id, method }: Request, session: Session): void {
  if (lifecycle === "strict") throw wrongState("Server not initialized. Send initialized notification first.");
  if (session.isEarly) return;
  session.isEarly = true;
  log({ level: "notice", message: `${method} came before notifications/initialized; it is served`, requestId: id });
}
