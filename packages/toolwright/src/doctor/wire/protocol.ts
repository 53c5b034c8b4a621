import { revisions } from "@toolwright/engine";

/** The error codes that servers are expected to answer with. */
export const CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
} as const;

/** A published revision of MCP as a client speaks it. */
export type Era = (typeof revisions)[number];

/** The revisions that open with `initialize`, newest first. */
export const HANDSHAKES: readonly Era[] = revisions.filter(({ handshake }) => handshake);

/** The revision whose requests stand alone. */
export const STATELESS = revisions.find(({ handshake }) => !handshake) as Era;

/** What most clients ask for today. */
export const NEWEST_HANDSHAKE = HANDSHAKES[0] as Era;

/** The one revision that has batches, by its place: the last but one. */
export const WITH_BATCHES = HANDSHAKES.at(-2) as Era;

/** The first one; only with it goes HTTP+SSE. */
export const OLDEST = HANDSHAKES.at(-1) as Era;

/** A revision that nobody has published. */
export const UNKNOWN_VERSION = "1999-01-01";

/** Whether a version is a published one with a handshake. */
export const isHandshake = (version: unknown): boolean => HANDSHAKES.some((era) => era.version === version);

const META = "io.modelcontextprotocol/";

/** The client that the doctor plays. */
export interface Speaker {
  readonly name: string;
  readonly version: string;
}

/** The params of `initialize`. */
export const introduce = (version: string, clientInfo: Speaker): Record<string, unknown> => ({
  protocolVersion: version,
  capabilities: {},
  clientInfo,
});

/** Params as the revision wants them: a request that stands alone says who asks, and in which revision. */
export function dress(era: Era, params: Record<string, unknown>, clientInfo: Speaker): Record<string, unknown> {
  if (era.handshake) return params;
  const own = {
    [`${META}protocolVersion`]: era.version,
    [`${META}clientCapabilities`]: {},
    [`${META}clientInfo`]: clientInfo,
  };
  return { ...params, _meta: { ...own, ...(params["_meta"] as Record<string, unknown> | undefined) } };
}
