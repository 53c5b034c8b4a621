import os from "node:os";
import type { Server, Tool } from "@toolwright/engine";
import { currentFolder, isWithin } from "@toolwright/kit/files";
import { isLoopback } from "../config/address.js";
import type { LivePack } from "./live-pack.js";
import type { Running } from "./serve.js";
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
  const count = listedTools(server).length;
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

/** What a person sees who runs the command by hand: without it, the terminal would just sit there. */
export function greeting(server: Server, packs: readonly LivePack[]): string {
  const script = process.argv[1] ?? "toolwright";
  // What would be no folder for the server is none to suggest.
  const folder = isWithin(currentFolder(), os.homedir()) ? "/path/to/project" : currentFolder();
  const entry = {
    mcpServers: { toolwright: { command: process.execPath, args: [script, "serve", "--root", folder] } },
  };
  return [
    `toolwright ${server.version}, an MCP server, is waiting for a client on stdin.`,
    "Nothing is wrong: a client starts this command itself, once it is configured (see below).",
    'Clients that connect over the network need another way: "toolwright serve --help".',
    "",
    `Tools (${listedTools(server).length})`,
    ...toolRows(server, packs),
    'What each of them does:  "toolwright tools"; there are more:  "toolwright tools --all-tools".',
    "",
    "To connect a client, put this into its configuration (Claude Desktop, Cursor and others):",
    ...JSON.stringify(entry, null, 2)
      .split("\n")
      .map((line) => `  ${line}`),
    "The folder is the one that its tools may use; without --root it is the one in which the client starts it.",
    "",
    `With Claude Code:  claude mcp add toolwright -- ${quote(process.execPath)} ${quote(script)} serve`,
    "",
    "To try it here, type a message in one line and press Enter; Ctrl-D or Ctrl-C ends it:",
    '  {"jsonrpc":"2.0","id":1,"method":"ping"}',
    'The answer is {"jsonrpc":"2.0","id":1,"result":{}}',
    "",
    "",
  ].join("\n");
}

/** The tools that clients see: those that others replace are only callable. */
const listedTools = ({ tools }: Server): readonly Tool[] => tools.filter(({ replacedBy }) => replacedBy === undefined);

/** The names of the tools by the pack that brings them; those of the server itself last. */
function toolRows(server: Server, packs: readonly LivePack[]): string[] {
  const offered = listedTools(server).map(({ name }) => name);
  const groups: [label: string, names: readonly string[]][] = packs.map(({ name, toolNames }) => [
    name,
    toolNames.filter((tool) => offered.includes(tool)),
  ]);
  const inPacks = new Set(groups.flatMap(([, names]) => names));
  const own = offered.filter((name) => !inPacks.has(name));
  const rows = [...groups, ["always", own] as const].filter(([, names]) => names.length > 0);
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.flatMap(([label, names]) =>
    inLines(names).map((line, at) => `  ${(at === 0 ? label : "").padEnd(width)}  ${line}`),
  );
}

/** How much of a line the names may take, beside the name of their pack. */
const WIDEST = 76;

function inLines(names: readonly string[]): string[] {
  const lines: string[] = [];
  for (const [at, name] of names.entries()) {
    const word = at === names.length - 1 ? name : `${name},`;
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > WIDEST) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** A word of a command line, in quotes where it needs them. */
function quote(word: string): string {
  return /^[\w./:\\-]+$/.test(word) ? word : `"${word}"`;
}
