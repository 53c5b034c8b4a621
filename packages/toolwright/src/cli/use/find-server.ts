import { existsSync } from "node:fs";
import os from "node:os";
import type { Target as ClientTarget } from "@toolwright/engine/client";
import { type Completion, Failure } from "@toolwright/kit/cli";
import { currentFolder } from "@toolwright/kit/files";
import { askYes, type Report } from "@toolwright/kit/terminal";
import { CLIENTS } from "../../clients/client-list.js";
import { findServers, type KnownServer } from "../../clients/configured-servers.js";
import type { ClientEnvironment } from "../../clients/environment.js";
import { didYouMean, nearestNames } from "./nearest-names.js";
import type { ServerChoice, ServerConnection } from "./server-choice.js";
import { concealing, showTarget } from "./show-target.js";

/** Finds the server that a command line names, and prints to stderr in which client a name was found. Throws `Failure`. */
export async function connectionTo({ where, optionsFor }: ServerChoice, report: Report): Promise<ServerConnection> {
  if ("target" in where) return { target: where.target, options: optionsFor(where.target) };
  const server = pickServer(where, await searchClients(process.env));
  if (server.scope === "project" && !where.isOfProject) await askForTrust(server, report);
  checkReferences(server);
  report.aside(`Using "${server.name}" of ${server.client}: ${server.file}`);
  const target = toTarget(server);
  const options = optionsFor(target);
  const headers = headersOf(server, options.token !== undefined);
  return { target, options: { ...options, headers }, conceal: concealing(server.target) };
}

/** A program gets the environment of this process and the variables in the configuration. */
function toTarget({ target }: KnownServer): ClientTarget {
  if (!("url" in target)) return { ...target, env: { ...process.env, ...target.env } };
  if (!URL.canParse(target.url)) throw new Failure(`${showTarget(target)} is not a URL of a server`, 2);
  return target.transport === "sse" ? { sse: target.url } : { url: target.url };
}

/** `--token-env` takes precedence over the Authorization header in the configuration. */
function headersOf({ target }: KnownServer, hasToken: boolean): Readonly<Record<string, string>> {
  const all = Object.entries(("url" in target && target.headers) || {});
  return Object.fromEntries(all.filter(([name]) => !(hasToken && name.toLowerCase() === "authorization")));
}

/** A cloned repository may configure a server that the user has never seen. */
async function askForTrust(server: KnownServer, report: Report): Promise<void> {
  const { name, file, target } = server;
  const effect = "url" in target ? "It connects to" : "It starts";
  const words = `"${name}" is in a file of this project: ${file}\n${effect}: ${showTarget(target)}`;
  if (!(process.stdin.isTTY && process.stderr.isTTY))
    throw new Failure(`${words}\nAdd --project if you trust this project`, 2);
  const isTrusted = await report.hold(() => askYes(`${words}\nDo you trust this project?`));
  if (!isTrusted) throw new Failure(`Stopped: "${name}" is not trusted`, 1);
}

/** An unresolved reference would be sent as it is. */
function checkReferences({ name, file, target }: KnownServer): void {
  const { command, args = [], env = {}, url, headers = {} } = target as Partial<Everything>;
  const texts = [command ?? "", ...args, ...Object.values(env), url ?? "", ...Object.values(headers)];
  const missing = new Set(texts.flatMap((text) => [...text.matchAll(REFERENCE)].map(([whole]) => whole)));
  const [first] = missing;
  if (first === undefined) return;
  const next = /^\$?\{(?:env:)?\w+\}$/.test(first)
    ? "the environment variable is not set"
    : "only the client can resolve it. Give the command or URL itself";
  throw new Failure(`"${name}" in ${file} needs ${[...missing].join(", ")}: ${next}`, 2);
}

const REFERENCE = /\$\{(?:env:|input:)?[\w.]+\}|\{env:\w+\}/g;

interface Everything {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A name to look up in the configuration of clients. */
export interface ServerName {
  /** `NAME`, or `CLIENT:NAME`. */
  readonly name: string;
  /** Only servers of this project. */
  readonly isOfProject: boolean;
}

/** The servers in the configuration of clients, and the files that were read. */
export interface KnownServers {
  readonly servers: readonly KnownServer[];
  readonly files: readonly string[];
  readonly faults: readonly { readonly file: string; readonly reason: string }[];
}

/** The server with this name. Throws a failure that lists the candidates, or the files that were read. */
export function pickServer({ name, isOfProject }: ServerName, searched: KnownServers): KnownServer {
  const named = searched.servers.filter((server) => server.name === name || longName(server) === name);
  const ofUser = named.filter(({ scope }) => scope === "user");
  const ofProject = named.filter(({ scope }) => scope === "project");
  // A project's file starts code of that project, so the user's own files take precedence.
  const candidates = isOfProject || ofUser.length === 0 ? ofProject : ofUser;
  const [first, ...others] = candidates;
  if (first === undefined) throw unknown(name, isOfProject && ofUser.length > 0, searched);
  // The same server in several clients is no conflict.
  const other = others.find(({ target }) => JSON.stringify(target) !== JSON.stringify(first.target));
  if (other !== undefined) throw new Failure(ambiguous(name, candidates), 2);
  return first;
}

/** `CLIENT:NAME`. */
const longName = ({ client, name }: KnownServer): string => `${client}:${name}`;

function ambiguous(name: string, candidates: readonly KnownServer[]): string {
  const lines = candidates.map((server) => `  ${longName(server)}  ${server.file}`);
  const isOneClient = new Set(candidates.map(longName)).size === 1;
  const next = isOneClient ? "Remove one of them, or give the command or URL itself" : "Add the client";
  return `Several different servers are named "${name}". ${next}:\n${lines.join("\n")}`;
}

function unknown(name: string, isOfUser: boolean, { servers, files, faults }: KnownServers): Failure {
  if (isOfUser)
    return new Failure(
      `No file of this project has a server "${name}", but a file of yours has. Leave out --project`,
      2,
    );
  const names = servers.flatMap((server) => (name.includes(":") ? [longName(server)] : [server.name]));
  const looked = files.length === 0 ? "No client has a configuration file" : `Files read:\n${indent(files)}`;
  const unread = faults.map(({ file, reason }) => `${file}: ${reason}`);
  return new Failure(
    [
      `No client has a server "${name}" in its configuration${didYouMean(nearestNames(name, names)) || "."}`,
      looked,
      ...(unread.length === 0 ? [] : [`Files that cannot be read:\n${indent(unread)}`]),
      'Give a URL, -- COMMAND, or one of the names that "toolwright list" shows.',
    ].join("\n"),
    2,
  );
}

const indent = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join("\n");

/** Reads the servers in the configuration of all clients, of the user and of the current folder. */
export async function searchClients(env: NodeJS.ProcessEnv): Promise<KnownServers> {
  const at: ClientEnvironment = { home: os.homedir(), folder: currentFolder(), platform: process.platform, env };
  const places = CLIENTS.flatMap((client) => client.configLocations(at));
  const ofUser = new Set(places.filter(({ scope }) => scope === "user").map(({ file }) => file));
  const { servers, faults } = await findServers(at);
  const own = servers.map((server) =>
    // A user's own file can have servers for one folder.
    ofUser.has(server.file) ? { ...server, scope: "user" as const } : server,
  );
  const files = [...new Set(places.map(({ file }) => file))].filter((file) => existsSync(file));
  return { servers: withoutRepeats(own), files, faults };
}

/** In the home folder, the files of the user and of the project are the same. */
function withoutRepeats(servers: KnownServers["servers"]): KnownServers["servers"] {
  const seen = new Set<string>();
  return servers.filter(({ client, file, name, target }) => {
    const key = JSON.stringify([client, file, name, target]);
    return !seen.has(key) && seen.add(key);
  });
}

/** The environment variables that locate files; others are secrets that must not be resolved. */
export const locationVariables = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => /^XDG_\w+$|APPDATA$|_(?:HOME|DIR)$/i.test(name)));

/** Completes the names of servers. */
export async function completeServers(prefix: string): Promise<readonly Completion[]> {
  const { servers } = await searchClients(locationVariables(process.env));
  return servers
    .map((server) => ({
      value: prefix.includes(":") ? longName(server) : server.name,
      description: `${server.client}: ${showTarget(server.target)}`,
    }))
    .filter(({ value }) => value.startsWith(prefix));
}
