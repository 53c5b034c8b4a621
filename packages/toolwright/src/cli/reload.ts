import { isDeepStrictEqual } from "node:util";
import type { CredentialUpdate, RunningHttpServer } from "@toolwright/engine/http";
import { BY_DEFAULT, type Config, ConfigError, type Entry } from "../config/config.js";
import type { PackChange } from "./live-pack.js";
import { checkRoots } from "./pack-environment.js";
import type { Running } from "./serve.js";
import { readBounds } from "./serve-options.js";
import { chooseTools } from "./tool-lists/choose-tools.js";
import { readWebOptions } from "./web-options.js";

/** Reads the configuration again, changes what can change while the server runs, and logs what cannot. A wrong one changes nothing. */
export async function reload(running: Running): Promise<void> {
  const { server, config, packs, log } = running;
  const prepared: PackChange[] = [];
  try {
    const next = await running.reread();
    const changed = [...next.table.keys()].filter((key) => !isSame(config, next, key));
    const live = changed.filter((key) => next.table.get(key)?.isLive);
    await checkRoots(next);
    const renewed = await renewWeb(running, next);
    const isConcerned = (key: string): boolean => live.includes(key) || live.some((one) => one.startsWith("files."));
    for (const pack of packs) if (isConcerned(pack.key)) prepared.push(await pack.prepare(next, server));
    for (const change of prepared.splice(0)) await change.make();
    if (live.some((key) => /^(?:tools|packs|files)\./.test(key))) await chooseTools(server, next, packs);
    renewed.make();
    server.reconfigure(readBounds(next));
    const now = live.filter((key) => !renewed.restart.includes(key));
    running.config = mix(config, next, now);
    log.follow(running.config);
    logChanges(
      running,
      [...now, ...renewed.changed],
      changed.filter((key) => !now.includes(key)),
    );
  } catch (error) {
    await Promise.allSettled(prepared.map((change) => change.drop()));
    const message = `the configuration was read again and cannot be used, so nothing has changed: ${reasonOf(error)}`;
    server.log({ level: "error", message });
  }
}

function logChanges({ server }: Running, changed: readonly string[], restart: readonly string[]): void {
  const what = changed.length === 0 ? "nothing" : changed.join(", ");
  server.log({ level: "notice", message: `the configuration was read again; changed: ${what}` });
  for (const key of restart) server.log({ level: "warning", message: `${key} changed: needs a restart` });
}

/** A configuration that nobody has given has no entries. */
function isSame({ entries }: Config, next: Config, key: string): boolean {
  const before = entries.size === 0 ? next.table.get(key)?.default : entries.get(key)?.value;
  return isDeepStrictEqual(before, next.entries.get(key)?.value);
}

/** What holds now: what could not change stays as it was, so that it is named again the next time. */
function mix(before: Config, next: Config, live: readonly string[]): Config {
  const entries = [...next.entries].map(([key, entry]): [string, Entry] => {
    const usual = { value: next.table.get(key)?.default, source: BY_DEFAULT };
    return [key, live.includes(key) ? entry : (before.entries.get(key) ?? usual)];
  });
  return { ...next, entries: new Map(entries) };
}

function reasonOf(error: unknown): string {
  if (error instanceof ConfigError) return error.line;
  return error instanceof Error ? error.message : String(error);
}

/** What becomes of keys and certificates, whose files may have changed though nothing else has. */
interface Renewed {
  /** Makes the change. */
  make(): void;
  /** What is different now, in words. */
  readonly changed: readonly string[];
  /** Settings of it that need a restart, because nobody was asked for a key, or nothing was spoken with TLS, until now. */
  readonly restart: readonly string[];
}

const NOTHING: Renewed = { make: () => undefined, changed: [], restart: [] };

/** Reads keys and certificates again. Throws an error that names the file that cannot be used. */
async function renewWeb(running: Running, config: Config): Promise<Renewed> {
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
