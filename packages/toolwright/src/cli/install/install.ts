import os from "node:os";
import { Failure, UsageError } from "@toolwright/kit/cli";
import { currentFolder } from "@toolwright/kit/files";
import { say, sayJson } from "@toolwright/kit/terminal";
import { type Client, isFound, type Target } from "../../clients/client.js";
import { CLIENTS } from "../../clients/client-list.js";
import { defaultEntry, typedEntry } from "../../clients/entries.js";
import type { ClientEnvironment } from "../../clients/environment.js";
import { applyChanges } from "./apply-changes.js";
import { isSomebodyThere, warn } from "./ask.js";
import { askToolsets } from "./ask-toolsets.js";
import { listClients } from "./list-clients.js";
import {
  type InstallInput,
  type InstallOptions,
  PLAIN_JSON,
  readInstallOptions,
  readUninstallOptions,
  type UninstallInput,
} from "./options.js";
import { findRunning, targetOf, warningsOf } from "./own-server.js";
import { planInstall, planUninstall, type Refusal } from "./plan-changes.js";

/** Adds this server, or another one, to the configuration of clients. */
export async function runInstall(input: InstallInput): Promise<void> {
  const options = readInstallOptions(input, process.env);
  const at = here();
  const running = findRunning();
  if (input.list) return listClients(options, running, at);
  const isAsked = isSomebodyThere() && !(options.yes || options.dryRun || options.json || isOnlyPrinted(options));
  const target = await targetOf(options, running, at.folder, isAsked ? askToolsets : undefined);
  if ("command" in target && target.command === running.node) for (const text of warningsOf(running)) warn(text);
  if (options.clients.includes(PLAIN_JSON))
    await sayJson({ mcpServers: { [options.name]: plainEntry(options.name, target) } });
  if (isOnlyPrinted(options)) return;
  const clients = await chosenClients(options, at);
  const { plans, refusals } = await planEach(clients, (client) => planInstall(client, { ...options, target }, at));
  if (clients.some(({ id }) => id === "claude-desktop") && isWithoutRoot(target, running.script))
    warn("Claude Desktop starts servers in no project: say which folder is meant with `-- --root FOLDER`.");
  await applyChanges("install", options, at.home, { changes: plans, refusals });
}

const isOnlyPrinted = ({ clients }: InstallOptions): boolean => clients.length === 1 && clients[0] === PLAIN_JSON;

function plainEntry(name: string, target: Target): unknown {
  return "command" in target ? defaultEntry()(name, target) : typedEntry("http")(name, target);
}

function isWithoutRoot(target: Target, script: string): boolean {
  return (
    "command" in target &&
    target.args[0] === script &&
    !target.args.some((word) => /^--root(?:=|$)|^(?:--set=)?files\.roots=/.test(word))
  );
}

/** Removes a server from the configuration of clients. */
export async function runUninstall(input: UninstallInput): Promise<void> {
  const options = readUninstallOptions(input);
  const at = here();
  const clients = await chosenClients(options, at);
  const { plans, refusals } = await planEach(clients, (client) => planUninstall(client, options, at));
  const changes = plans.flat();
  if (changes.length > 0 || refusals.length > 0)
    return applyChanges("uninstall", options, at.home, { changes, refusals });
  if (options.json) return sayJson([]);
  const titles = clients.map(({ title }) => title).join(", ");
  if (titles === "") throw new Failure("No client is installed", 1);
  await say(`${titles} ${clients.length === 1 ? "does" : "do"} not have ${options.name}: nothing to do`);
}

/** The user, folder and platform of this process. */
const here = (): ClientEnvironment => ({
  home: os.homedir(),
  folder: currentFolder(),
  platform: process.platform,
  env: process.env,
});

/** The clients that are meant: those that were named, else all that are here and have the scope. Throws where none are. */
export async function chosenClients(options: InstallOptions, at: ClientEnvironment): Promise<readonly Client[]> {
  const named = CLIENTS.filter(({ id }) => options.clients.includes(id));
  if (options.clients.length > 0) return named;
  if (!(options.all || options.dryRun || isSomebodyThere()))
    throw new UsageError("Say which clients are meant, or --all for every one that is here");
  const found = await Promise.all(CLIENTS.map(async (client) => ((await isFound(client, at)) ? [client] : [])));
  const fitting = found
    .flat()
    .filter((client) => client.configLocations(at).some(({ scope, use }) => scope === options.scope && use !== "read"));
  if (fitting.length > 0) return fitting;
  throw new Failure(`No client was found here; name one: ${CLIENTS.map(({ id }) => id).join(", ")}`, 1);
}

/** Plans for each client; what cannot be planned is kept with its reason, and stops none of the others. */
export async function planEach<Plan>(
  clients: readonly Client[],
  plan: (client: Client) => Promise<Plan>,
): Promise<{ readonly plans: readonly Plan[]; readonly refusals: readonly Refusal[] }> {
  const plans: Plan[] = [];
  const refusals: Refusal[] = [];
  for (const client of clients)
    try {
      plans.push(await plan(client));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      refusals.push({ client, reason: error.message });
    }
  return { plans, refusals };
}
