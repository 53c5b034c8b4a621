import { isDeepStrictEqual } from "node:util";
import type { CredentialUpdate, RunningHttpServer } from "@toolwright/engine/http";
import type { Config } from "../config/config.js";
import type { Running } from "./running.js";
import { readWebOptions } from "./web-options.js";

/** What becomes of keys and certificates, whose files may have changed though nothing else has. */
export interface Renewed {
  /** Makes the change. */
  make(): void;
  /** What is different now, in words. */
  readonly changed: readonly string[];
  /** Settings of it that need a restart, because nobody was asked for a key, or nothing was spoken with TLS, until now. */
  readonly restart: readonly string[];
}

const NOTHING: Renewed = { make: () => undefined, changed: [], restart: [] };

/** Reads keys and certificates again. Throws an error that names the file that cannot be used. */
export async function renewWeb(running: Running, config: Config): Promise<Renewed> {
  const { web: before, listeners } = running;
  if (before === undefined) return NOTHING;
  const web = await readWebOptions(config);
  // To open to everybody what was closed is no change that anybody should make by leaving a line out.
  const [hasKeys, hasTls] = [before.auth && web.auth, before.tls && web.tls];
  const [apiKeys, tls] = [web.auth?.apiKeys ?? [], web.tls];
  const changes: CredentialUpdate = {
    ...(hasKeys && !isDeepStrictEqual(before.auth?.apiKeys ?? [], apiKeys) && { apiKeys }),
    ...(hasTls && tls && !isDeepStrictEqual(before.tls, tls) && { tls }),
  };
  return {
    make: () => {
      for (const { serving } of listeners) if (isPort(serving)) serving.rotateCredentials(changes);
      running.web = {
        ...before,
        ...(changes.tls && { tls: changes.tls }),
        ...(changes.apiKeys && { auth: { ...before.auth, apiKeys: changes.apiKeys } }),
      };
    },
    changed: [...(changes.apiKeys ? ["API keys"] : []), ...(changes.tls ? ["TLS certificate"] : [])],
    restart: [
      ...(hasKeys ? [] : ["auth.apiKeyFile", "auth.apiKey"]),
      ...(hasTls ? [] : ["http.tls.cert", "http.tls.key"]),
    ],
  };
}

const isPort = (serving: object): serving is RunningHttpServer => "rotateCredentials" in serving;
