import path from "node:path";
import { createServer, type Middleware, type Server, serveStdio } from "@toolwright/engine";
import type { StartupGuard } from "@toolwright/engine/transport";
import { createLazyTaskStore } from "@toolwright/kit/storage";
import { type Config, groupOf, valueOf } from "../config/config.js";
import { readBounds, readShare } from "./bounds.js";
import { onHangUp } from "./hang-up.js";
import { keepLastMessages } from "./last-messages.js";
import { createLiveLog, type LiveLog, readRedact } from "./live-log.js";
import { LivePack } from "./live-pack.js";
import { checkRoots, environmentOf, NO_FOLDER, packsOf } from "./pack-environment.js";
import { readConfig } from "./read-config.js";
import type { Running } from "./running.js";
import { createServeOptions } from "./serve-options.js";
import { readServerOptions } from "./server-options.js";
import { stateOf } from "./state-folder.js";
import { chooserFor } from "./tool-lists/choose-tools.js";

/** Serves the packs over every transport that was asked for, until the client is gone or the process is told to stop. */
export async function serve(words: readonly string[], version: string, front?: StartupGuard): Promise<void> {
  const { config, reread } = await readConfig(words);
  await checkRoots(config);
  const folder = stateOf(config);
  const loaders = Object.entries(await packsOf(config));
  const packs = loaders.map(([name, load]) => new LivePack(name, load, config, folder));
  const log = createLiveLog(config);
  const server = await openServer(config, folder, packs, log, version);
  const options = createServeOptions(config);
  const running: Running = { config, reread, server, packs, log, listeners: [], web: undefined };
  onHangUp(running);
  void warnWithoutFolder(running);
  if (!options.stdio) front?.release();
  const recordFile = valueOf(config, "record.file");
  if (recordFile !== undefined) {
    const { recordTo } = await import("@toolwright/engine/observability");
    await recordTo(server, { ...groupOf(config, "record"), file: recordFile });
  }
  const isListening = options.http !== undefined || options.ws !== undefined || options.socket !== undefined;
  // Stdio comes last: a client hears why nothing is served elsewhere as long as it has heard nothing else.
  if (isListening) {
    const { serveListening } = await import("./serve-listening.js");
    await serveListening(running, options);
  }
  if (!options.stdio) return;
  const served = serveStdio(server);
  if (!isListening) await greet(running);
  await served;
}

async function openServer(
  config: Config,
  folder: string,
  packs: readonly LivePack[],
  log: LiveLog,
  version: string,
): Promise<Server> {
  const store = createLazyTaskStore(async () => {
    const { openTaskStore } = await import("@toolwright/kit/storage/task-store.js");
    return openTaskStore(path.join(folder, "tasks.db"), { log: (entry) => server.log(entry) });
  });
  const perPrincipal = readShare(config);
  const auditFile = valueOf(config, "audit.file");
  const middleware: Middleware[] = [];
  if (auditFile !== undefined) {
    const { audit } = await import("@toolwright/engine/observability");
    middleware.push(audit({ ...groupOf(config, "audit"), file: auditFile }));
  }
  const server: Server = createServer({
    ...readServerOptions(config, version, store),
    packs: [...packs, chooserFor(config, packs, () => server)],
    dynamic: true,
    // A pack that is switched on later may bring some.
    prompts: [],
    resources: [],
    limits: { ...readBounds(config).limits, ...(perPrincipal && { perPrincipal }) },
    redact: readRedact(config),
    log,
    telemetry: valueOf(config, "telemetry") ?? true,
    middleware,
  });
  keepLastMessages(server, path.join(folder, "recordings"));
  return server;
}

async function warnWithoutFolder({ config, server }: Running): Promise<void> {
  const folders = await (await environmentOf(config)).files.folders().catch(() => undefined);
  if (folders?.length === 0) server.log({ level: "warning", message: NO_FOLDER });
}

/** Stdio says itself why a server cannot start, and ends the process. */
async function greet({ server, packs }: Running): Promise<void> {
  const isOpen = await server.start().then(
    () => true,
    () => false,
  );
  if (!isOpen || !process.stdin.isTTY) return;
  const { greeting } = await import("./start-report.js");
  process.stderr.write(greeting(server, packs));
}
