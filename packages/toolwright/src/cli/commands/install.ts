import { sayJson } from "@toolwright/kit/terminal";
import type { Target } from "../../clients/client.js";
import { typedEntry, usualEntry } from "../../clients/entries.js";
import { carryOut } from "../install/carry-out.js";
import { chosenClients, planEach } from "../install/chosen-clients.js";
import { here } from "../install/here.js";
import { listClients } from "../install/list-clients.js";
import { warn } from "../install/notes.js";
import { PLAIN_JSON, readInstallWords } from "../install/options.js";
import { findRunning, targetOf, warningsOf } from "../install/own-server.js";
import { planInstall } from "../install/plan-install.js";

/** Does what follows `install`: tells clients of this server, or of another. */
export async function runInstall(words: readonly string[]): Promise<void> {
  const wish = readInstallWords(words, process.env);
  const at = here();
  const running = findRunning();
  if (wish.isList) return listClients(wish, running, at);
  const target = await targetOf(wish, running, at.folder);
  if ("command" in target && target.command === running.node) for (const text of warningsOf(running)) warn(text);
  if (wish.clients.includes(PLAIN_JSON)) await sayJson({ mcpServers: { [wish.name]: plainEntry(wish.name, target) } });
  if (wish.clients.length === 1 && wish.clients[0] === PLAIN_JSON) return;
  const clients = await chosenClients(wish, at);
  const { plans, refusals } = await planEach(clients, (client) => planInstall(client, { ...wish, target }, at));
  if (clients.some(({ id }) => id === "claude-desktop") && isWithoutRoot(target, running.script))
    warn("Claude Desktop starts servers in no project: say which folder is meant with `-- --root FOLDER`.");
  await carryOut("install", wish, at.home, { changes: plans, refusals });
}

function plainEntry(name: string, target: Target): unknown {
  return "command" in target ? usualEntry()(name, target) : typedEntry("http")(name, target);
}

function isWithoutRoot(target: Target, script: string): boolean {
  return (
    "command" in target &&
    target.args[0] === script &&
    !target.args.some((word) => /^--root(?:=|$)|^(?:--set=)?roots=/.test(word))
  );
}
