import { Failure, UsageError } from "@toolwright/kit/cli";
import { type Client, isFound } from "../../clients/client.js";
import { CLIENTS } from "../../clients/client-list.js";
import type { ClientEnvironment } from "../../clients/environment.js";
import { isSomebodyThere } from "./ask.js";
import type { InstallOptions } from "./options.js";
import type { Refusal } from "./plan-install.js";

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
