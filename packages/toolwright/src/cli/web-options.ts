import { createSecureContext } from "node:tls";
import type { EndpointOptions, HttpOptions } from "@toolwright/engine";
import { readApiKeys, takeApiKey } from "./api-keys.js";
import { readNamedFile } from "./read-file.js";
import type { AuthWords, WebWords } from "./serve-options.js";

type Auth = NonNullable<EndpointOptions["auth"]>;

/** What HTTP and WebSocket take alike. */
export type WebOptions = Pick<
  HttpOptions,
  "path" | "publicUrl" | "allowedHosts" | "allowedOrigins" | "trustProxy" | "tls" | "auth"
>;

/** Makes the engine's options of the words of the command line, reading the files that they name. Throws an error that names the file. */
export async function readWebOptions(words: WebWords, env: NodeJS.ProcessEnv): Promise<WebOptions> {
  const { path, publicUrl, allowedHosts, allowedOrigins, trustProxy, tls } = words;
  const auth = await readAuth(words.auth, env);
  return {
    allowedHosts,
    allowedOrigins,
    ...(path !== undefined && { path }),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(trustProxy.length > 0 && { trustProxy }),
    ...(tls && { tls: await readTls(tls) }),
    ...(auth && { auth }),
  };
}

async function readTls(files: NonNullable<WebWords["tls"]>): Promise<NonNullable<WebOptions["tls"]>> {
  const cert = await readNamedFile("--tls-cert", files.cert);
  const key = await readNamedFile("--tls-key", files.key);
  try {
    // An empty file would pass for none at all.
    if (cert.trim() === "" || key.trim() === "") throw new Error("one of the files is empty");
    createSecureContext({ cert, key });
  } catch (error) {
    throw new Error(`Cannot use --tls-cert and --tls-key: ${(error as Error).message}`, { cause: error });
  }
  return { cert, key };
}

async function readAuth(
  { apiKeyFile, issuer, audience, scopes }: AuthWords,
  env: NodeJS.ProcessEnv,
): Promise<Auth | undefined> {
  const fromFile =
    apiKeyFile === undefined ? [] : readApiKeys(apiKeyFile, await readNamedFile("--api-key-file", apiKeyFile));
  const apiKeys = [...fromFile, ...takeApiKey(env)];
  if (issuer === undefined && apiKeys.length === 0) return undefined;
  return {
    ...(issuer !== undefined && { issuer }),
    ...(audience.length > 0 && { audience }),
    ...(scopes.length > 0 && { scopes }),
    ...(apiKeys.length > 0 && { apiKeys }),
  };
}
