import { setTimeout } from "node:timers/promises";
import type { Server } from "@toolwright/engine";
import type { Pages } from "@toolwright/engine/http";
import { UsageError } from "@toolwright/kit/cli";
import { type Config, calledBy, valueOf } from "../config/config.js";
import type { Key } from "../config/settings.js";
import type { OpenDashboard } from "./dashboard/open-dashboard.js";
import { type Listener, listen } from "./listen.js";
import type { Running } from "./serve.js";
import type { ServeOptions } from "./serve-options.js";
import { startReport } from "./start-report.js";
import { readWebOptions, type WebOptions } from "./web-options.js";

/**
 * Serves clients that connect, until the process is stopped. If it is also to serve stdio, returns the report of the start, to be shown
 * as soon as stdio handles signals. Throws if it cannot serve.
 */
export async function serveListening(running: Running, options: ServeOptions): Promise<string | undefined> {
  const { server, config } = running;
  // Who reads the log may go before the server does.
  process.stderr.on("error", () => undefined);
  const stopped = options.stdio ? undefined : untilStopped();
  const web = await readWebOptions(config);
  const dashboard = await openPages(running, options);
  const listeners = await open(running, options, web, dashboard?.pages);
  Object.assign(running, { listeners, ...(options.http || options.ws ? { web } : {}) });
  closeBefore(server, listeners, dashboard);
  const report = startReport({ ...running, options, web }, process.stderr.isTTY);
  if (stopped === undefined) return report;
  process.stderr.write(report);
  await stopped;
  await server.drain();
  // The engine does so only while something listens, and packs close after that. Until then both tell.
  const survive = (error: unknown): void =>
    server.log({ level: "error", message: "an error was left behind that nobody caught", error });
  process.on("uncaughtException", survive).on("unhandledRejection", survive);
  try {
    // A pack that does not close must not keep the process, and neither must a timer that a tool left behind.
    await Promise.race([server.close(), setTimeout(2 * server.limits.drainMs)]);
  } catch (error) {
    server.log({ level: "critical", message: `${server.name} could not be closed`, error });
    process.exit(1);
  }
  process.exit(0);
}

/** Resolves with the first signal; with the second the process goes at once. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (): void => {
      if (isStopping) process.exit(0);
      isStopping = true;
      resolve();
    };
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
  });
}

async function open(
  { server, config }: Running,
  options: ServeOptions,
  web: WebOptions,
  pages: Pages | undefined,
): Promise<readonly Listener[]> {
  try {
    return await listen(server, options, web, pages);
  } catch (error) {
    // Packs may be open already. What keeps one from closing matters less than why nothing is served.
    await Promise.allSettled([server.close()]);
    // Wrong options; the engine calls them by its own names.
    if (error instanceof TypeError && error.message.startsWith("Cannot serve"))
      throw new UsageError(toWords(error.message, config));
    throw error;
  }
}

/** The pages beside HTTP, unless they are switched off. */
async function openPages(
  { config, server, packs }: Running,
  { http }: ServeOptions,
): Promise<OpenDashboard | undefined> {
  if (http === undefined || valueOf(config, "http.dashboard") === false) return undefined;
  const { openDashboard } = await import("./dashboard/open-dashboard.js");
  return openDashboard(config, server, { packs, isStandalone: false, writeToken: valueOf(config, "http.writeToken") });
}

/** Whoever closes the server closes the listeners first, so that what they serve is answered: also stdio, when its client goes. */
function closeBefore(server: Server, listeners: readonly Listener[], dashboard: OpenDashboard | undefined): void {
  const close = server.close.bind(server);
  server.close = async () => {
    await Promise.all(listeners.map(({ serving }) => serving.close()));
    await dashboard?.close();
    await close();
  };
}

/** The settings that the engine calls otherwise. */
const KEYS: Readonly<Record<string, Key>> = {
  "auth.audience": "auth.audience",
  "auth.issuer": "auth.issuer",
  "auth.scopes": "auth.scopes",
  publicUrl: "http.publicUrl",
  trustProxy: "http.trustProxy",
  allowedHosts: "http.allowedHosts",
  allowedOrigins: "http.allowedOrigins",
  path: "http.path",
};

/** A refusal of the engine, in which settings are called as whoever gave them calls them. */
function toWords(message: string, config: Config): string {
  return message.replaceAll(
    /auth\.(?:audience|issuer|scopes)|publicUrl|trustProxy|allowed(?:Hosts|Origins)|(?<=: )path(?= )/g,
    (name) => {
      const key = KEYS[name];
      if (key === undefined) return name;
      const isGiven = config.entries.get(key)?.source.from !== "default";
      return isGiven ? calledBy(config, key) : (config.table.get(key)?.flag ?? key);
    },
  );
}
