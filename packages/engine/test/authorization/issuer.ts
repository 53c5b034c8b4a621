import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

interface Key {
  readonly id: string;
  readonly algorithm: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: object;
}

type CryptoKey = Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];

/** An authorization server that says whatever a test wants, wrong things too. */
export interface Issuer {
  /** How it writes itself. */
  readonly url: string;
  /** Every path that was asked for, with the bodies of POSTs. */
  readonly asked: string[];
  /** What it has at which path; may be changed. */
  readonly pages: Map<string, object | string>;
  isDown: boolean;
  /** Signs a token with the newest key. What is not said is right for an audience of `https://mcp.example/mcp`. */
  sign(claims?: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  /** Has a new key from now on; without `published`, it is not published. */
  rotate(options?: {
    readonly published?: boolean;
    readonly keepsOld?: boolean;
    readonly hasId?: boolean;
  }): Promise<void>;
  stop(): Promise<void>;
}

/** The audience that the tokens of an issuer have unless a test says otherwise. */
export const AUDIENCE = "https://mcp.example/mcp";

/** Starts an issuer on this machine; `path` is what its name has after the host. */
export async function openIssuer(path = ""): Promise<Issuer> {
  const asked: string[] = [];
  const pages = new Map<string, object | string>();
  let keys: Key[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => {
      asked.push(`${request.url ?? ""}${body === "" ? "" : ` ${body}`}`);
      if (issuer.isDown) return response.destroy();
      const page = pages.get(request.url ?? "");
      if (typeof page === "string" && page.startsWith("http")) return response.writeHead(302, { location: page }).end();
      response.writeHead(page === undefined ? 404 : 200, { "content-type": "application/json" });
      return response.end(typeof page === "string" ? page : JSON.stringify(page ?? {}));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = origin + path;
  const issuer: Issuer = {
    url,
    asked,
    pages,
    isDown: false,
    async sign(claims = {}, header = {}) {
      const key = keys.at(-1) as Key;
      const now = Math.floor(Date.now() / 1000);
      const payload = { iss: url, aud: AUDIENCE, sub: "ada", iat: now, exp: now + 600, ...claims };
      const named = key.id === "" ? {} : { kid: key.id };
      return new SignJWT(payload)
        .setProtectedHeader({ alg: key.algorithm, typ: "at+jwt", ...named, ...header })
        .sign(key.privateKey);
    },
    async rotate({ published = true, keepsOld = false, hasId = true } = {}) {
      const { privateKey, publicKey } = await generateKeyPair("ES256");
      const id = hasId ? `key-${crypto.randomUUID()}` : "";
      const publicJwk = { ...(await exportJWK(publicKey)), alg: "ES256", use: "sig", ...(hasId && { kid: id }) };
      keys = [...(keepsOld ? keys : []), { id, algorithm: "ES256", privateKey, publicJwk }];
      if (published) pages.set("/keys", { keys: keys.map((key) => key.publicJwk) });
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  await issuer.rotate();
  pages.set(`/.well-known/oauth-authorization-server${path}`, {
    issuer: url,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/keys`,
    introspection_endpoint: `${origin}/introspect`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
  });
  return issuer;
}
