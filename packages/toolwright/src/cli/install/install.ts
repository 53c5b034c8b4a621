import os from "node:os";
import { Failure } from "@toolwright/kit/cli";
import { currentFolder } from "@toolwright/kit/files";
import { say, sayJson } from "@toolwright/kit/terminal";
import type { Target } from "../../clients/client.js";
import { defaultEntry, typedEntry } from "../../clients/entries.js";
import type { ClientEnvironment } from "../../clients/environment.js";
import { warn } from "./ask.js";
import { carryOut } from "./carry-out.js";
import { chosenClients, planEach } from "./chosen-clients.js";
import { listClients } from "./list-clients.js";
import {
  type InstallInput,
  PLAIN_JSON,
  readInstallOptions,
  readUninstallOptions,
  type UninstallInput,
} from "./options.js";
import { findRunning, targetOf, warningsOf } from "./own-server.js";
import { planInstall } from "./plan-install.js";
import { planUninstall } from "./plan-uninstall.js";

/** Adds this server, or another one, to the configuration of clients. */
export async function runInstall(input: InstallInput): Promise<void> {
  const options = readInstallOptions(input, process.env);
  const at = here();
  const running = findRunning();
  if (input.list) return listClients(options, running, at);
  const target = await targetOf(options, running, at.folder);
  if ("command" in target && target.command === running.node) for (const text of warningsOf(running)) warn(text);
  if (options.clients.includes(PLAIN_JSON))
    await sayJson({ mcpServers: { [options.name]: plainEntry(options.name, target) } });
  if (options.clients.length === 1 && options.clients[0] === PLAIN_JSON) return;
  const clients = await chosenClients(options, at);
  const { plans, refusals } = await planEach(clients, (client) => planInstall(client, { ...options, target }, at));
  if (clients.some(({ id }) => id === "claude-desktop") && isWithoutRoot(target, running.script))
    warn("Claude Desktop starts servers in no project: say which folder is meant with `-- --root FOLDER`.");
  await carryOut("install", options, at.home, { changes: plans, refusals });
}

function plainEntry(name: string, target: Target): unknown {
  return "command" in target ? defaultEntry()(name, target) : typedEntry("http")(name, target);
}

function isWithoutRoot(target: Target, script: string): boolean {
  return (
    "command" in target &&
    target.args[0] === script &&
    !target.args.some((word) => /^--root(?:=|$)|^(?:--set=)?roots=/.test(word))
  );
}

/** Removes a server from the configuration of clients. */
export async function runUninstall(input: UninstallInput): Promise<void> {
  const options = readUninstallOptions(input);
  const at = here();
  const clients = await chosenClients(options, at);
  const { plans, refusals } = await planEach(clients, (client) => planUninstall(client, options, at));
  const changes = plans.flat();
  if (changes.length > 0 || refusals.length > 0) return carryOut("uninstall", options, at.home, { changes, refusals });
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
