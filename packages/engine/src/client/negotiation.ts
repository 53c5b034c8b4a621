import { headerMismatch, missingCapability, unsupportedProtocolVersion } from "../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../jsonrpc/messages.js";
import {
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  LOG_LEVEL_KEY,
  PROTOCOL_VERSION_KEY,
  SERVER_INFO_KEY,
} from "../revisions/meta-keys.js";
import { REVISIONS, versionsOf } from "../revisions/negotiation.js";
import type { Revision } from "../revisions/revision.js";
import type { ClientConnection } from "./connection.js";
import { delay } from "./deadline.js";
import { ConnectionError, httpStatusOf, objectOrEmpty, ResponseError, stringOr, TimeoutError } from "./errors.js";

/** What the client tells servers about itself. */
export interface ClientIdentity {
  readonly info: JsonObject;
  readonly capabilities: JsonObject;
  /** The lowest level of log messages that stateless requests ask for; undefined for none. */
  readonly logLevel?: string | undefined;
}

/** The newest revision that opens with a handshake. */
export const LATEST_HANDSHAKE_REVISION = REVISIONS.find(({ handshake }) => handshake) as Revision;

/** Returns the revision of a version, or the newest. Throws `TypeError` for an unknown version. */
export function findRevision(version = REVISIONS[0]?.version): Revision {
  const found = REVISIONS.find((revision) => revision.version === version);
  if (found === undefined)
    throw new TypeError(
      `Cannot connect: revision ${version} is unknown; known are ${versionsOf(REVISIONS).join(", ")}`,
    );
  return found;
}

/** Adds the `_meta` that every request of a stateless revision needs. */
export function addMeta(
  params: JsonObject,
  { version, handshake }: Revision,
  { info, capabilities, logLevel }: ClientIdentity,
): JsonObject {
  if (handshake) return params;
  const own: JsonObject = {
    [PROTOCOL_VERSION_KEY]: version,
    [CLIENT_CAPABILITIES_KEY]: capabilities,
    [CLIENT_INFO_KEY]: info,
    ...(logLevel !== undefined && { [LOG_LEVEL_KEY]: logLevel }),
  };
  return { ...params, _meta: { ...own, ...(params["_meta"] as JsonObject | undefined) } };
}

/** Returns the params of `initialize`. */
export const initializeParams = (version: string, { info, capabilities }: ClientIdentity): JsonObject => ({
  protocolVersion: version,
  capabilities,
  clientInfo: info,
});

/** What is known about a server once the revision is negotiated. */
export interface NegotiatedServer {
  /** The protocol revision of the connection. */
  readonly revision: string;
  /** Whether the connection is a session that opened with `initialize`; otherwise every request is stateless. */
  readonly handshake: boolean;
  /** The server's name, version and more; empty if it does not say. */
  readonly info: JsonObject;
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
}

/** What negotiation needs. */
interface NegotiationContext {
  readonly connection: ClientConnection;
  readonly identity: ClientIdentity;
  /** The only revision to use; by default the newest that both sides support. */
  readonly revision?: string | undefined;
  /** Opens with `initialize` instead of a probe. */
  readonly requiresHandshake: boolean;
  /** How long to wait for the response to the probe before trying the handshake. */
  readonly probeTimeoutMs: number;
}

/** Errors that only servers of a stateless revision send. */
const STATELESS_ERROR_CODES: ReadonlySet<number> = new Set([
  headerMismatch("").code,
  missingCapability({}).code,
  unsupportedProtocolVersion("", []).code,
]);
/** HTTP statuses that say nothing about the server's revision. */
const INCONCLUSIVE_STATUSES: ReadonlySet<number | undefined> = new Set([401, 403, 407, 408, 429]);

/** Finds the newest revision that both sides support, and opens the session if it has one. Throws if there is none. */
export async function negotiate(context: NegotiationContext): Promise<NegotiatedServer> {
  const { connection, revision, requiresHandshake } = context;
  const isProbed = revision === undefined && !requiresHandshake;
  const server = await (isProbed
    ? probe(context)
    : openWith(context, revision === undefined ? LATEST_HANDSHAKE_REVISION : findRevision(revision)));
  await connection.setRevision(findRevision(server.revision));
  return server;
}

/** Tries a stateless revision first. Some servers ignore any request before the handshake, so silence counts as rejection. */
async function probe(context: NegotiationContext): Promise<NegotiatedServer> {
  const done = new AbortController();
  const discovery = discover(context, findRevision(), done.signal);
  const timeout = delay(context.probeTimeoutMs, done.signal).then(() => undefined);
  const fallBack = (error: unknown): Promise<NegotiatedServer> => openWith(context, revisionAfterRejection(error));
  try {
    const server = await Promise.race([discovery, timeout]).catch(fallBack);
    if (server) return server;
    return await initialize(context, LATEST_HANDSHAKE_REVISION).catch((error: unknown) => {
      // A stateless server that is only slow rejects the handshake, and will still answer the probe.
      if (error instanceof ResponseError) return discovery.catch(fallBack);
      throw error;
    });
  } finally {
    done.abort();
    for (const promise of [discovery, timeout]) promise.catch(() => undefined);
  }
}

/** Returns a revision that the server lists in its error, or the newest with a handshake. Throws the error if it indicates neither. */
function revisionAfterRejection(error: unknown): Revision {
  const supported = error instanceof ResponseError && isObject(error.data) ? error.data["supported"] : undefined;
  if (!Array.isArray(supported)) {
    if (isHandshakeServerError(error)) return LATEST_HANDSHAKE_REVISION;
    throw error;
  }
  const common = REVISIONS.find(({ version }) => supported.includes(version));
  if (common === undefined) throw noCommonRevision(supported);
  return common;
}

function openWith(context: NegotiationContext, revision: Revision): Promise<NegotiatedServer> {
  return revision.handshake ? initialize(context, revision) : discover(context, revision);
}

async function discover(
  { connection, identity }: NegotiationContext,
  revision: Revision,
  signal?: AbortSignal,
): Promise<NegotiatedServer> {
  const result = await connection.request("server/discover", addMeta({}, revision, identity), { signal });
  const { supportedVersions: supported, _meta } = result;
  // Every valid result has the list. A server that sends another result to any request gets the handshake.
  if (!Array.isArray(supported) || !supported.includes(revision.version))
    throw new ResponseError({
      code: unsupportedProtocolVersion("", []).code,
      message: `The server does not support revision ${revision.version}`,
      data: { supported: Array.isArray(supported) ? supported : [LATEST_HANDSHAKE_REVISION.version] },
    });
  return toNegotiatedServer(revision, result, objectOrEmpty(_meta)[SERVER_INFO_KEY]);
}

async function initialize(
  { connection, identity, revision: pinned }: NegotiationContext,
  requested: Revision,
): Promise<NegotiatedServer> {
  const result = await connection.request("initialize", initializeParams(requested.version, identity));
  const { protocolVersion = null, serverInfo } = result;
  const negotiated = REVISIONS.find(({ version, handshake }) => handshake && version === protocolVersion);
  if (negotiated === undefined || (pinned !== undefined && negotiated.version !== pinned))
    throw noCommonRevision([protocolVersion], pinned);
  return toNegotiatedServer(negotiated, result, serverInfo);
}

/** Whether the error to a stateless request comes from a server that expects a handshake. */
export function isHandshakeServerError(error: unknown): boolean {
  const status = httpStatusOf(error);
  if (INCONCLUSIVE_STATUSES.has(status)) return false;
  if (error instanceof ResponseError) return !STATELESS_ERROR_CODES.has(error.code);
  return error instanceof TimeoutError || (status !== undefined && status >= 400 && status < 500);
}

function toNegotiatedServer(
  { version: revision, handshake }: Revision,
  { capabilities, instructions }: JsonObject,
  info: Json | undefined,
): NegotiatedServer {
  return Object.freeze({
    revision,
    handshake,
    info: objectOrEmpty(info),
    capabilities: objectOrEmpty(capabilities),
    instructions: typeof instructions === "string" ? instructions : undefined,
  });
}

function noCommonRevision(offered: readonly Json[], supported = versionsOf(REVISIONS).join(", ")): ConnectionError {
  const versions = offered.map((version) => stringOr(version, "?")).join(", ");
  return new ConnectionError(
    `Cannot connect: the server supports revision ${versions}, and this client supports ${supported}`,
  );
}
