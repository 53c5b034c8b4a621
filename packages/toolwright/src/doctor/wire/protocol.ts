import { revisions } from "@toolwright/engine";

/** The error codes of JSON-RPC. */
export const CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
} as const;

/** A published revision of MCP. */
export type ProtocolRevision = (typeof revisions)[number];

/** The revisions that open with `initialize`, newest first. */
export const HANDSHAKES: readonly ProtocolRevision[] = revisions.filter(({ handshake }) => handshake);

/** The stateless revision. */
export const STATELESS = revisions.find(({ handshake }) => !handshake) as ProtocolRevision;

/** The revision that most clients request today. */
export const NEWEST_HANDSHAKE = HANDSHAKES[0] as ProtocolRevision;

/** The only revision with batches, the second oldest. */
export const WITH_BATCHES = HANDSHAKES.at(-2) as ProtocolRevision;

/** The first revision, the only one of HTTP+SSE. */
export const OLDEST = HANDSHAKES.at(-1) as ProtocolRevision;

/** A revision that does not exist. */
export const UNKNOWN_VERSION = "1999-01-01";

/** Whether a version is a published one with a handshake. */
export const isHandshake = (version: unknown): boolean => HANDSHAKES.some((revision) => revision.version === version);

const META = "io.modelcontextprotocol/";

/** The client that the doctor simulates. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

/** The params of `initialize`. */
export const initializeParams = (version: string, clientInfo: ClientInfo): Record<string, unknown> => ({
  protocolVersion: version,
  capabilities: {},
  clientInfo,
});

/** Adds the `_meta` of the stateless revision: the client and the version. */
export function addMeta(
  revision: ProtocolRevision,
  params: Record<string, unknown>,
  clientInfo: ClientInfo,
): Record<string, unknown> {
  if (revision.handshake) return params;
  const own = {
    [`${META}protocolVersion`]: revision.version,
    [`${META}clientCapabilities`]: {},
    [`${META}clientInfo`]: clientInfo,
  };
  return { ...params, _meta: { ...own, ...(params["_meta"] as Record<string, unknown> | undefined) } };
}
