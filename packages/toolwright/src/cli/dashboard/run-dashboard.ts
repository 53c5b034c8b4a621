import { randomBytes } from "node:crypto";
import { createServer, type Server } from "@toolwright/engine";
import { type HttpOptions, type PageRequest, type RunningHttpServer, serveHttp } from "@toolwright/engine/http";
import type { CommandContext, ParsedCommandLine } from "@toolwright/kit/cli";
import { isLoopback } from "../../config/address.js";
import { type Config, valueOf } from "../../config/config.js";
import { createLiveLog } from "../live-log.js";
import { loadOrigins, originsOf } from "../serve-config.js";
import { readWebOptions } from "../web-options.js";
import { openDashboard, openPagePacks } from "./open-dashboard.js";

interface DashboardInput {
  readonly port: number | undefined;
  readonly host: string;
  readonly writeToken: boolean;
}

const DEFAULT_PORT = 8080;
/** How many ports after the default are tried. */
const MAX_TRIES = 50;

/** Serves the pages until the process is stopped. */
export async function runDashboard(
  input: DashboardInput & ParsedCommandLine["input"],
  { version }: CommandContext,
): Promise<void> {
  const { port, host } = input;
  const config = await loadOrigins(originsOf(input, { env: { ...process.env } }));
  const server = createServer({ name: "toolwright-dashboard", version, tools: [], log: createLiveLog(config) });
  const created = input.writeToken ? randomBytes(18).toString("base64url") : undefined;
  const token = valueOf(config, "http.writeToken") ?? created;
  const packs = await openPagePacks(config, server);
  const dashboard = openDashboard(config, server, { packs, isStandalone: true, writeToken: token });
  // There is no MCP endpoint, so every other path has the page of a missing path.
  const everywhere = { matches: () => true, serve: (request: PageRequest) => dashboard.pages.serve(request) };
  const web = { ...(await readWebOptions(config)), host, pages: everywhere, sessions: false };
  const stopped = untilSignal();
  try {
    const serving = await listen(server, web, port);
    process.stderr.write(report(serving.url, config, host, token === created ? created : undefined));
    await stopped;
    await serving.close();
  } finally {
    await dashboard.close();
    await server.close();
  }
}

/** Listens at the given port, or at the first free one from the default on. */
async function listen(server: Server, web: HttpOptions, port: number | undefined): Promise<RunningHttpServer> {
  if (port !== undefined) return serveHttp(server, { ...web, port });
  for (let next = DEFAULT_PORT; ; next += 1) {
    try {
      return await serveHttp(server, { ...web, port: next });
    } catch (error) {
      if (!isTaken(error) || next >= DEFAULT_PORT + MAX_TRIES) throw error;
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
    ...(isOpen ? [`Warning: everybody who can reach ${host} can read the tasks. Use --api-key-file.`] : []),
    ...(process.stderr.isTTY ? ["Press Ctrl-C to stop."] : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** Resolves with the first signal; the second one ends the process at once. */
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
