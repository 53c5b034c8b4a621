/** Reads what an `Authorization` header has after "Bearer", the only place where tokens are looked for; other schemes have none. */
export function readBearer(header: string | undefined): string | undefined {
  if (header === undefined || !/^bearer(?![^ ,])/i.test(header)) return undefined;
  return header.slice("bearer".length).trim();
}

/** Tells whether this can be a token (RFC 6750, 2.1): what is known as one already need not be looked at so closely. */
export function isToken(text: string): boolean {
  return /^[A-Za-z0-9._~+/-]+=*$/.test(text);
}

/** The parts of a challenge that change from case to case. */
export interface Challenge {
  readonly metadataUrl: string | undefined;
  readonly scopes: readonly string[];
  readonly error?: "invalid_request" | "invalid_token" | "insufficient_scope";
  readonly description?: string;
}

/** Writes the value of `WWW-Authenticate` (RFC 6750, RFC 9728). */
export function writeChallenge({ metadataUrl, scopes, error, description }: Challenge): string {
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(description === undefined ? [] : [`error_description="${description.replaceAll(/[^ !#-[\]-~]/g, "'")}"`]),
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(" ")}"`]),
    ...(metadataUrl === undefined ? [] : [`resource_metadata="${metadataUrl}"`]),
  ];
  return `Bearer ${parts.length === 0 ? 'realm="mcp"' : parts.join(", ")}`;
}
