import type { HttpRequest } from "../host.js";
import type { ApiKey } from "./api-keys.js";

/** What `authenticate` sees of a request: all but its body. */
export type RequestHead = Omit<HttpRequest, "read" | "headers">;

/** Whom an own `authenticate` has recognised; scopes that are left out limit nothing. */
export interface Identity {
  readonly principal: string;
  readonly scopes?: Iterable<string> | undefined;
}

/** How to ask the issuer about a token (RFC 7662). */
export interface IntrospectionOptions {
  /** Where to ask; the issuer's metadata says it by default. */
  readonly url?: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Who may use a server over HTTP and WebSocket. `issuer`, `apiKeys` and `authenticate` can be combined. */
export interface AuthOptions {
  /** The authorization server whose tokens are accepted, exactly as it writes itself in `iss`. */
  readonly issuer?: string;
  /** What `aud` of a token must have one of; the public URL of the server by default. */
  readonly audience?: string | readonly string[];
  /** The scopes that every request needs; the scopes of tools come on top. */
  readonly scopes?: readonly string[];
  /** Scopes that include others, such as `{ admin: ["read", "write"] }`. */
  readonly covers?: Readonly<Record<string, readonly string[]>>;
  /** Where the issuer's keys are; its metadata says it by default. */
  readonly jwksUri?: string;
  /** Asks the issuer about each token instead of checking its signature. */
  readonly introspection?: IntrospectionOptions;
  /** The signatures that are accepted; the usual asymmetric ones by default. */
  readonly algorithms?: readonly string[];
  /** How far the issuer's clock may be off; 30 s by default. */
  readonly clockSkewMs?: number;
  /** Keys that are as good as a token. */
  readonly apiKeys?: readonly ApiKey[];
  /** Recognises clients in a way of your own; undefined = not by this way. */
  readonly authenticate?: (request: RequestHead) => Identity | undefined | Promise<Identity | undefined>;
  /** What happens when a client could not find out how to get a token: a warning, no start, or nobody looks. */
  readonly selfCheck?: "warn" | "fail" | "off";
}
