import { Failure } from "@toolwright/kit/cli";
import { say, sayJson } from "@toolwright/kit/terminal";
import { carryOut } from "../install/carry-out.js";
import { chosenClients, planEach } from "../install/chosen-clients.js";
import { here } from "../install/here.js";
import { readUninstallWords } from "../install/options.js";
import { planUninstall } from "../install/plan-uninstall.js";

/** Does what follows `uninstall`: takes out of the clients' files what `install` has put in. */
export async function runUninstall(words: readonly string[]): Promise<void> {
  const wish = readUninstallWords(words);
  const at = here();
  const clients = await chosenClients(wish, at);
  const { plans, refusals } = await planEach(clients, (client) => planUninstall(client, wish, at));
  const changes = plans.flat();
  if (changes.length > 0 || refusals.length > 0) return carryOut("uninstall", wish, at.home, { changes, refusals });
  if (wish.json) return sayJson([]);
  const titles = clients.map(({ title }) => title).join(", ");
  if (titles === "") throw new Failure("No client was found here", 1);
  await say(`No ${wish.name} in ${titles}: nothing to do`);
}
