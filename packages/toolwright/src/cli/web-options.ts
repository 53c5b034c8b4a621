import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { type ApiKey, type EndpointOptions, type HttpOptions, hashApiKey } from "@toolwright/engine/http";
import { type Config, calledBy, groupOf, valueOf } from "../config/config.js";
import { cannotRead } from "../config/load.js";

type Auth = NonNullable<EndpointOptions["auth"]>;

/** What HTTP and WebSocket take alike. */
export type WebOptions = Pick<
  HttpOptions,
  | "path"
  | "publicUrl"
  | "allowedHosts"
  | "allowedOrigins"
  | "trustProxy"
  | "tls"
  | "auth"
  | "sessions"
  | "pollAfterMs"
  | "compression"
  | "rate"
  | "limits"
>;

/** Makes the engine's options of the configuration, reading the files that it names. Throws an error that names the file. */
export async function readWebOptions(config: Config): Promise<WebOptions> {
  const path = valueOf(config, "http.path");
  const publicUrl = valueOf(config, "http.publicUrl");
  const pollAfterMs = valueOf(config, "http.pollAfterMs");
  const trustProxy = valueOf(config, "http.trustProxy") ?? [];
  const [tls, auth] = [await readTls(config), await readAuth(config)];
  const [burst, perSecond] = [valueOf(config, "http.rate.burst"), valueOf(config, "http.rate.perSecond")];
  const countPings = valueOf(config, "http.rate.countPings") ?? true;
  return {
    allowedHosts: valueOf(config, "http.allowedHosts") ?? [],
    allowedOrigins: valueOf(config, "http.allowedOrigins") ?? [],
    sessions: valueOf(config, "http.sessions") ?? true,
    compression: (valueOf(config, "http.compression") ?? false) as NonNullable<WebOptions["compression"]>,
    limits: groupOf(config, "http.limits"),
    ...(pollAfterMs !== undefined && { pollAfterMs }),
    ...(path !== undefined && { path }),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(trustProxy.length > 0 && { trustProxy }),
    ...(burst !== undefined && perSecond !== undefined && { rate: { burst, perSecond, countPings } }),
    ...(tls && { tls }),
    ...(auth && { auth }),
  };
}

async function readTls(config: Config): Promise<NonNullable<WebOptions["tls"]> | undefined> {
  const [certFile, keyFile] = [valueOf(config, "http.tls.cert"), valueOf(config, "http.tls.key")];
  if (certFile === undefined || keyFile === undefined) return undefined;
  const [certName, keyName] = [calledBy(config, "http.tls.cert"), calledBy(config, "http.tls.key")];
  const cert = await readNamedFile(certName, certFile);
  const key = await readNamedFile(keyName, keyFile);
  try {
    // An empty file would pass for none at all.
    if (cert.trim() === "" || key.trim() === "") throw new Error("one of the files is empty");
    createSecureContext({ cert, key });
  } catch (error) {
    throw new Error(`Cannot use ${certName} and ${keyName}: ${(error as Error).message}`, { cause: error });
  }
  return { cert, key };
}

async function readAuth(config: Config): Promise<Auth | undefined> {
  const issuer = valueOf(config, "auth.issuer");
  const audience = valueOf(config, "auth.audience") ?? [];
  const scopes = valueOf(config, "auth.scopes") ?? [];
  const apiKeys = await readKeys(config);
  if (issuer === undefined && apiKeys.length === 0) return undefined;
  return {
    ...(issuer !== undefined && { issuer }),
    ...(audience.length > 0 && { audience }),
    ...(scopes.length > 0 && { scopes }),
    ...(apiKeys.length > 0 && { apiKeys }),
  };
}

async function readKeys(config: Config): Promise<ApiKey[]> {
  const file = valueOf(config, "auth.apiKeyFile");
  const name = calledBy(config, "auth.apiKeyFile");
  const key = valueOf(config, "auth.apiKey");
  return [
    ...(file === undefined ? [] : readApiKeys(file, name, await readNamedFile(name, file))),
    ...(key === undefined ? [] : [hashNamedKey(calledBy(config, "auth.apiKey"), key)]),
  ];
}

/**
 * Reads lines of a name, the hash of its key and the scopes that it has, if it is limited. `option` is what named the file.
 * Throws an error with the line at fault.
 */
function readApiKeys(file: string, option: string, text: string): ApiKey[] {
  const keys = text.split(/\r?\n/).flatMap((line, at): ApiKey[] => {
    const [principal = "", hash = "", ...scopes] = line
      .replace(/^\s*#.*/, "")
      .trim()
      .split(/\s+/);
    if (principal === "") return [];
    if (!/^[\da-f]{64}$/i.test(hash))
      throw new Error(
        `Cannot use ${file} (${option}): line ${at + 1} must be a name and the hash of a key; "toolwright key NAME" makes one`,
      );
    return [{ principal, hash, ...(scopes.length > 0 && { scopes }) }];
  });
  if (keys.length === 0) throw new Error(`Cannot use ${file} (${option}): there is no key in it`);
  return keys;
}

/** Makes the hash of a key that was given as it is. Throws an error that names where, and does not show it. */
function hashNamedKey(option: string, key: string): ApiKey {
  try {
    return { principal: "api-key", hash: hashApiKey(key) };
  } catch (error) {
    throw new Error((error as Error).message.replace(/^Cannot hash the API key/, `Cannot use ${option}`), {
      cause: error,
    });
  }
}

/** Reads a file that an option names. Throws an error that names both and says why it cannot. */
async function readNamedFile(option: string, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw cannotRead(file, option, error);
  }
}
