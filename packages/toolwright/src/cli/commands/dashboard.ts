import { randomBytes } from "node:crypto";
import { createServer, type Server } from "@toolwright/engine";
import { type HttpOptions, type PageRequest, type RunningHttpServer, serveHttp } from "@toolwright/engine/http";
import { type Given, readWords, UsageError } from "@toolwright/kit/cli";
import { currentFolder } from "@toolwright/kit/files";
import { type Config, valueOf } from "../../config/config.js";
import { openDashboard, openPagePacks } from "../dashboard/open-dashboard.js";
import { createLiveLog } from "../live-log.js";
import { isLoopback } from "../loopback.js";
import { loadServeConfig } from "../serve-config.js";
import { readWebOptions } from "../web-options.js";

const OPTIONS = {
  "--port": { value: "a port" },
  "--host": { value: "an address" },
  "--write-token": {},
  "--allow-host": { value: "a name", isList: true },
  "--api-key-file": { value: "a file" },
  "--state": { value: "a folder" },
  "--config": { value: "a file" },
  "--no-config": {},
  "--set": { value: "KEY=VALUE", isList: true },
} as const;

type Options = Given<keyof typeof OPTIONS>;

/** Options that mean the same to a server, which reads them. */
const OF_SERVE = ["--allow-host", "--api-key-file", "--state", "--config", "--no-config", "--set"] as const;

const USUAL_PORT = 8080;
/** How many ports after the usual one are tried. */
const MOST_TRIES = 50;

/** Serves the pages until the process is told to stop. */
export async function runDashboard(words: readonly string[], version: string): Promise<void> {
  const options: Options = readWords(words, OPTIONS);
  const host = options["--host"]?.[0] ?? "127.0.0.1";
  const port = readPort(options["--port"]?.[0]);
  const config = await loadServeConfig(serveWords(options), { env: { ...process.env }, folder: currentFolder() });
  const server = createServer({ name: "toolwright-dashboard", version, tools: [], log: createLiveLog(config) });
  const made = options["--write-token"] === undefined ? undefined : randomBytes(18).toString("base64url");
  const token = valueOf(config, "http.writeToken") ?? made;
  const packs = await openPagePacks(config, server);
  const dashboard = openDashboard(config, server, { packs, isStandalone: true, writeToken: token });
  // Nothing else is served here, so whoever is lost is told so by a page.
  const everywhere = { matches: () => true, serve: (request: PageRequest) => dashboard.pages.serve(request) };
  const web = { ...(await readWebOptions(config)), host, pages: everywhere, sessions: false };
  const stopped = untilSignal();
  try {
    const serving = await listen(server, web, port);
    process.stderr.write(report(serving.url, config, host, token === made ? made : undefined));
    await stopped;
    await serving.close();
  } finally {
    await dashboard.close();
    await server.close();
  }
}

/** Listens at the port that was asked for, or else at the first free one from the usual one on. */
async function listen(server: Server, web: HttpOptions, port: number | undefined): Promise<RunningHttpServer> {
  if (port !== undefined) return serveHttp(server, { ...web, port });
  for (let next = USUAL_PORT; ; next += 1) {
    try {
      return await serveHttp(server, { ...web, port: next });
    } catch (error) {
      if (!isTaken(error) || next >= USUAL_PORT + MOST_TRIES) throw error;
    }
  }
}

const isTaken = (error: unknown): boolean =>
  error instanceof Error && (error.cause as { code?: unknown } | undefined)?.code === "EADDRINUSE";

function report(url: string, config: Config, host: string, token: string | undefined): string {
  const isOpen = !isLoopback(host) && !config.entries.get("auth.apiKeyFile")?.value && !valueOf(config, "auth.apiKey");
  const lines = [
    `The dashboard is at ${new URL("/", url).href}`,
    ...(token === undefined ? [] : [`Write token: ${token}`]),
    ...(isOpen ? [`Warning: everybody who can reach ${host} can read the tasks. Give --api-key-file.`] : []),
    ...(process.stderr.isTTY ? ["Ctrl-C stops it."] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function serveWords(options: Options): string[] {
  return OF_SERVE.flatMap((name) => (options[name] ?? []).map((value) => (value === "" ? name : `${name}=${value}`)));
}

function readPort(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const port = Number(given);
  if (/^\d+$/.test(given) && port <= 65_535) return port;
  throw new UsageError(`--port must be from 0 to 65535, not "${given}"`);
}

/** Resolves with the first signal; with the second the process goes at once. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    for (const signal of ["SIGTERM", "SIGINT"] as const)
      process.on(signal, () => {
        if (isStopping) process.exit(0);
        isStopping = true;
        resolve();
      });
  });
}
