import { isLoopback } from "./loopback.js";
import type { Running } from "./running.js";
import type { ServeOptions } from "./serve-options.js";
import type { WebOptions } from "./web-options.js";

/** What was started, for whoever reads the terminal or the log. */
export interface Started extends Running {
  readonly options: ServeOptions;
  readonly web: WebOptions;
}

/** The one block that a server that listens writes at its start; a person at a terminal also hears how to go on. */
export function startReport(started: Started, isTerminal: boolean): string {
  const { server, packs, listeners, config, options, web } = started;
  const count = server.tools.length;
  const on = packs.filter(({ isOn }) => isOn).map(({ name }) => name);
  const rows: [label: string, text: string][] = [
    ...listeners.map(({ name, url }): [string, string] => [name, url]),
    ...(options.stdio ? [["stdio", "stdin and stdout"] satisfies [string, string]] : []),
    ["packs", `${on.length === 0 ? "none" : on.join(", ")} (${count} ${count === 1 ? "tool" : "tools"})`],
    ["speaks", `MCP ${server.revisions.map(({ version }) => version).join(", ")}`],
    ...(web.auth === undefined ? [] : [["access", accessOf(web.auth)] satisfies [string, string]]),
    ...(config.file === undefined ? [] : [["config", config.file] satisfies [string, string]]),
  ];
  const width = Math.max(...rows.map(([label]) => label.length));
  return [
    `toolwright ${server.version} is serving`,
    ...rows.map(([label, text]) => `  ${label.padEnd(width)}  ${text}`),
    ...warningsOf(started).map((warning) => `Warning: ${warning}`),
    ...(isTerminal ? nextSteps(started) : []),
    "",
  ].join("\n");
}

function accessOf({ apiKeys = [], issuer }: NonNullable<WebOptions["auth"]>): string {
  const keys = `${apiKeys.length} API ${apiKeys.length === 1 ? "key" : "keys"}`;
  return [...(apiKeys.length > 0 ? [keys] : []), ...(issuer === undefined ? [] : [`tokens of ${issuer}`])].join(", ");
}

/** What can hardly be meant so. */
function warningsOf({ options, web }: Started): string[] {
  const addresses = [options.http, options.ws].filter((at) => typeof at === "object");
  const open = addresses.filter(({ host }) => !isLoopback(host)).map(({ host }) => host);
  if (open.length === 0) return [];
  const [where] = open;
  if (web.auth === undefined)
    return [
      `everybody who can reach ${where} can use these tools. Give --api-key-file or --issuer, or listen at 127.0.0.1.`,
    ];
  if (web.tls === undefined && !web.publicUrl?.startsWith("https:"))
    return [
      "keys and tokens cross the network in the clear. Give --tls-cert and --tls-key, or --public-url https://… if a proxy speaks TLS.",
    ];
  return [];
}

function nextSteps({ listeners, web }: Started): string[] {
  const http = listeners.find(({ name }) => name === "http");
  if (http === undefined) return ["", "Ctrl-C stops it."];
  // Everywhere is where a server can listen, and nowhere to connect to.
  const url = web.publicUrl ?? http.url.replace(/\/\/(?:0\.0\.0\.0|\[::\])/, "//localhost");
  const key = web.auth?.apiKeys === undefined ? "" : ' --header "Authorization: Bearer KEY"';
  return ["", `With Claude Code:  claude mcp add --transport http toolwright ${url}${key}`, "Ctrl-C stops it."];
}
