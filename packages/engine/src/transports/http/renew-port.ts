import type { Server } from "node:http";
import type { Server as SecureServer } from "node:https";
import type { SecureContextOptions } from "node:tls";
import type { ApiKey } from "./auth/api-keys.js";
import { checkTls } from "./check-tls.js";
import type { Gate } from "./gate.js";

/** Certificate and key, as Node takes them. */
export type TlsOptions = Pick<SecureContextOptions, "cert" | "key" | "ca" | "passphrase" | "pfx" | "minVersion">;

/** What can change while a server listens; what is left out stays. */
export interface Renewal {
  /** The certificate and key of connections from now on. */
  readonly tls?: TlsOptions;
  /** The API keys that are known from now on. */
  readonly apiKeys?: readonly ApiKey[];
}

/** Changes what a port is served with. `first` is what it was opened with: only what is given is replaced. */
export function renewPort(
  node: Server | SecureServer,
  gate: Gate | undefined,
  first: TlsOptions | undefined,
  { tls, apiKeys }: Renewal,
): void {
  const secure = "setSecureContext" in node ? node : undefined;
  const fault = (what: string) =>
    new TypeError(`Cannot renew ${what}: the server was opened without; it needs a restart`);
  if (tls !== undefined) checkTls(tls);
  if (tls !== undefined && secure === undefined) throw fault("the certificate");
  if (apiKeys !== undefined && gate === undefined) throw fault("the API keys");
  // The certificate first, because it is what may be refused after it was checked.
  if (tls !== undefined) secure?.setSecureContext({ minVersion: first?.minVersion, ca: first?.ca, ...tls });
  if (apiKeys !== undefined) gate?.renewKeys(apiKeys);
}
