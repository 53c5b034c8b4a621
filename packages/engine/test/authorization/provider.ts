import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { vi } from "vitest";

/** A real authorization server. */
export interface RealProvider {
  readonly issuer: string;
  /** The servers that it makes tokens for. */
  readonly resources: Set<string>;
  /** How long its tokens last, in seconds. */
  tokenSeconds: number;
  stop(): Promise<void>;
}

/** The client that may ask it about tokens. */
export const resourceServer = { clientId: "guarded", clientSecret: "a secret with / and + in it" };

/**
 * Starts an authorization server with registration, PKCE, resource indicators and refresh tokens; whoever logs in is believed.
 * Its tokens are JWTs, or mere references that only it can read.
 */
export async function openProvider(format: "jwt" | "opaque" = "jwt"): Promise<RealProvider> {
  // It warns of everything that makes it fit for tests only.
  const warning = vi.spyOn(console, "warn").mockReturnValue();
  const { errors, Provider } = await import("oidc-provider");
  let answer: RequestListener | undefined;
  const server = createServer((request, response) => {
    void withoutScope(request).then(() => answer?.(request, response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: RealProvider = {
    issuer,
    resources: new Set(),
    tokenSeconds: 600,
    async stop() {
      warning.mockRestore();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  const { clientId, clientSecret } = resourceServer;
  answer = new Provider(issuer, {
    clients: [
      { client_id: clientId, client_secret: clientSecret, redirect_uris: [], response_types: [], grant_types: [] },
    ],
    scopes: ["openid", "offline_access", "read", "write", "wipe"],
    pkce: { required: () => true },
    cookies: { keys: ["only for tests"] },
    issueRefreshToken: () => true,
    // A client may renew its token for two requests at once.
    rotateRefreshToken: false,
    ttl: { AccessToken: () => provider.tokenSeconds, Session: 600, Grant: 600, Interaction: 600, RefreshToken: 600 },
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => [...provider.resources][0],
        useGrantedResource: () => true,
        getResourceServerInfo(_context: unknown, resource: string) {
          if (!provider.resources.has(resource)) throw new errors.InvalidTarget();
          return {
            scope: "read write wipe",
            audience: resource,
            accessTokenFormat: format,
            accessTokenTTL: provider.tokenSeconds,
          };
        },
      },
    },
  }).callback();
  return provider;
}

/** Takes the scope out of a registration: this provider would hold the client to it, and never let it ask for more. */
async function withoutScope(request: IncomingMessage & { body?: unknown }): Promise<void> {
  if (request.method !== "POST" || request.url !== "/reg") return;
  const { scope: _scope, ...rest } = (await json(request)) as Record<string, unknown>;
  request.body = rest;
}
