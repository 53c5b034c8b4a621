import { type Client, ResponseError } from "@toolwright/engine/client";

import type { Report } from "@toolwright/kit/terminal";

/** What a server can have lists of. */
export const KINDS = ["tools", "resources", "templates", "prompts"] as const;

/** One of the lists. */
export type Kind = (typeof KINDS)[number];

/** The lists of a server, as it gives them. */
export type Offers = Partial<{ readonly [Each in Kind]: Awaited<ReturnType<(typeof LISTS)[Each]>> }>;

const LISTS = {
  tools: (client: Client, signal: AbortSignal) => client.listTools({ signal }),
  resources: (client: Client, signal: AbortSignal) => client.listResources({ signal }),
  templates: (client: Client, signal: AbortSignal) => client.listResourceTemplates({ signal }),
  prompts: (client: Client, signal: AbortSignal) => client.listPrompts({ signal }),
};

const CAPABILITIES: Readonly<Record<Kind, string>> = {
  tools: "tools",
  resources: "resources",
  templates: "resources",
  prompts: "prompts",
};

/** Asks a server for what it has: for one list, or for all that it says it has. */
export async function readOffers(
  client: Client,
  kind: Kind | undefined,
  report: Report,
  signal: AbortSignal,
): Promise<Offers> {
  const { capabilities } = client.server;
  if (kind !== undefined)
    return { [kind]: CAPABILITIES[kind] in capabilities ? await LISTS[kind](client, signal) : [] };
  const offers: Record<string, unknown> = {};
  for (const each of KINDS.filter((one) => CAPABILITIES[one] in capabilities)) {
    try {
      offers[each] = await LISTS[each](client, signal);
    } catch (error) {
      // One list that cannot be had is no reason to keep the others back.
      if (!(error instanceof ResponseError)) throw error;
      report.line(`The server refuses to list its ${each}: ${error.message}`);
    }
  }
  return offers;
}
