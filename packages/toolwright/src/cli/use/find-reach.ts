import type { Target as Reached } from "@toolwright/engine/client";
import { Failure } from "@toolwright/kit/cli";
import { askYes, type Report } from "@toolwright/kit/terminal";
import type { KnownServer } from "../../clients/configured-servers.js";
import type { Reach, Way } from "../target.js";
import { pickServer } from "./pick-server.js";
import { searchClients } from "./search-clients.js";
import { concealing, showTarget } from "./shown-target.js";

/** Finds the way to the server that was meant, and says on stderr where a name has led. Throws `Failure`. */
export async function findReach({ where, optionsFor }: Way, report: Report): Promise<Reach> {
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

/** Gets the whole environment, as a command that is typed does, and what the client keeps for it. */
function toTarget({ target }: KnownServer): Reached {
  if (!("url" in target)) return { ...target, env: { ...process.env, ...target.env } };
  if (!URL.canParse(target.url)) throw new Failure(`${showTarget(target)} is no URL of a server`, 2);
  return target.transport === "sse" ? { sse: target.url } : { url: target.url };
}

/** A token that was given is stronger than the one that the client keeps. */
function headersOf({ target }: KnownServer, hasToken: boolean): Readonly<Record<string, string>> {
  const all = Object.entries(("url" in target && target.headers) || {});
  return Object.fromEntries(all.filter(([name]) => !(hasToken && name.toLowerCase() === "authorization")));
}

/** Whoever has cloned a folder has not looked at what its files start. */
async function askForTrust(server: KnownServer, report: Report): Promise<void> {
  const { name, file, target } = server;
  const deed = "url" in target ? "It would be sent what the file says, at" : "It would start";
  const words = `"${name}" is in a file of this project: ${file}\n${deed}: ${showTarget(target)}`;
  if (!(process.stdin.isTTY && process.stderr.isTTY))
    throw new Failure(`${words}\nAdd --project if you trust this project`, 2);
  const isTrusted = await report.hold(() => askYes(`${words}\nDo you trust this project?`));
  if (!isTrusted) throw new Failure(`Nothing was done: "${name}" is not trusted`, 1);
}

/** A reference that is still there would be taken at its word. */
function checkReferences({ name, file, target }: KnownServer): void {
  const { command, args = [], env = {}, url, headers = {} } = target as Partial<Everything>;
  const texts = [command ?? "", ...args, ...Object.values(env), url ?? "", ...Object.values(headers)];
  const missing = new Set(texts.flatMap((text) => [...text.matchAll(REFERENCE)].map(([whole]) => whole)));
  const [first] = missing;
  if (first === undefined) return;
  const next = /^\$?\{(?:env:)?\w+\}$/.test(first)
    ? "the environment does not have it. Set it, and try again"
    : "only the client can fill that in. Give the command or URL itself";
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
