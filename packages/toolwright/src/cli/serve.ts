import { fstatSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { createServer, type Middleware, type Server, serveStdio } from "@toolwright/engine";
import { dumpRecording } from "@toolwright/engine/observability";
import type { StartupGuard } from "@toolwright/engine/transport";
import type { RateOptions } from "@toolwright/engine/types";
import { currentFolder } from "@toolwright/kit/files";
import { createLazyTaskStore } from "@toolwright/kit/storage";
import { type Config, groupOf, isUnconfigured, NO_CONFIG, valueOf } from "../config/config.js";
import type { Listener } from "./listen.js";
import { createLiveLog, type LiveLog, readRedact } from "./live-log.js";
import { LivePack } from "./live-pack.js";
import { checkRoots, environmentOf, NO_FOLDER, packsOf, stateOf } from "./pack-environment.js";
import { createServeOptions, readBounds, readShare } from "./serve-options.js";
import { readServerOptions } from "./server-options.js";
import { chooserFor } from "./tool-lists/choose-tools.js";
import type { WebOptions } from "./web-options.js";

/** Serves the packs over every transport that was asked for, until the client is gone or the process is stopped. */
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
  let report: string | undefined;
  if (isListening) {
    const { serveListening } = await import("./serve-listening.js");
    report = await serveListening(running, options);
  }
  if (!options.stdio) return;
  const served = serveStdio(server);
  if (report === undefined) await greet(running);
  else process.stderr.write(report);
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
  const requestRate = valueOf(config, "requestRate") as RateOptions | undefined;
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
    limits: {
      ...readBounds(config).limits,
      ...(perPrincipal && { perPrincipal }),
      ...(requestRate && { requestRate }),
    },
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

/** Has the configuration read again whenever the process gets SIGHUP; one whose terminal is gone ends. */
function onHangUp(running: Running): void {
  // There it means that the console is closed, and that the process has seconds to live.
  if (process.platform === "win32") return;
  // A terminal is a device, and most servers have pipes: for them what knows terminals is not even loaded.
  const devices = [0, 1, 2].filter((descriptor) => fstatSync(descriptor).isCharacterDevice());
  const isTerminal = (descriptor: number): boolean => process.getBuiltinModule("node:tty").isatty(descriptor);
  const terminals = devices.filter(isTerminal);
  let last: Promise<void> = Promise.resolve();
  process.on("SIGHUP", () => {
    if (!terminals.every(isTerminal)) process.kill(process.pid, "SIGTERM");
    else last = last.then(() => reloadStarted(running));
  });
}

async function reloadStarted(running: Running): Promise<void> {
  try {
    await running.server.start();
    const { reload } = await import("./reload.js");
    await reload(running);
  } catch (error) {
    running.server.log({ level: "error", message: "the configuration could not be read again", error });
  }
}

/** How many files stay; whoever has more crashes than that looks at the newest. */
const MOST_FILES = 20;

/** Has the last messages written to a folder when the process gets SIGUSR2, and when it ends with a fault. */
function keepLastMessages(server: Server, folder: string): void {
  process.on("exit", (code) => {
    if (code !== 0) keep(server, folder);
  });
  // There is no such signal there.
  if (process.platform !== "win32") process.on("SIGUSR2", () => keep(server, folder));
}

/** At once, because nothing else can be done while a process ends. The log says where they are. */
function keep(server: Server, folder: string): void {
  if (server.recorder === undefined || server.recorder.frames().length === 0) return;
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const file = path.join(folder, `${time}-${process.pid}.jsonl`);
  if (!dumpRecording(server, file)) return;
  server.log({ level: "notice", message: `the last messages are in ${file}` });
  for (const old of oldIn(folder)) rmSync(path.join(folder, old), { force: true });
}

/** The names begin with the time, so that the oldest comes first. */
function oldIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /^\d{4}-\d\d-\d\dT[\dZ-]+\.jsonl$/.test(name));
  return names.sort().slice(0, -MOST_FILES);
}

/** A configuration, and how to read it again. */
interface ReadConfig {
  readonly config: Config;
  readonly reread: () => Promise<Config>;
}

/** Reads the configuration of `serve`. Throws `ConfigError` with all that is wrong. */
export async function readConfig(words: readonly string[]): Promise<ReadConfig> {
  const surroundings = { env: { ...process.env }, folder: currentFolder() };
  const reread = async (): Promise<Config> => (await import("./serve-config.js")).loadServeConfig(words, surroundings);
  const isSilent = words.length === 0 && isUnconfigured(surroundings.env);
  // Most clients start it so, and wait for it: what reads and checks a configuration stays on the disk.
  return { config: isSilent ? NO_CONFIG : await reread(), reread };
}

/** A running server and its configuration. */
export interface Running {
  readonly server: Server;
  /** Reads its configuration again. Throws `ConfigError` with all that is wrong. */
  readonly reread: () => Promise<Config>;
  readonly packs: readonly LivePack[];
  readonly log: LiveLog;
  /** What holds now. */
  config: Config;
  /** The ways in that are open, beside stdio. */
  listeners: readonly Listener[];
  /** The options of the listeners on the network; undefined if there are none. */
  web: WebOptions | undefined;
}
