import type { PackHost, Server } from "@toolwright/engine";
import type { Pages } from "@toolwright/engine/http";
import { UsageError } from "@toolwright/kit/cli";
import type { Page } from "@toolwright/kit/pages";
import { type Config, valueOf } from "../../config/config.js";
import { createDashboard } from "../../dashboard/dashboard.js";
import { LivePack } from "../live-pack.js";
import { packsOf, stateOf } from "../pack-environment.js";

/** The dashboard of a server. */
export interface OpenDashboard {
  readonly pages: Pages;
  close(): Promise<void>;
}

interface OpenDashboardOptions {
  readonly packs: readonly LivePack[];
  /** The process serves only the dashboard; its packs are closed with it. */
  readonly isStandalone: boolean;
  /** The token that unlocks actions. */
  readonly writeToken: string | undefined;
}

/** Opens the dashboard of a server, with the pages of its packs. Throws `UsageError` for a write token that is too short. */
export function openDashboard(
  config: Config,
  server: Server,
  { packs, isStandalone, writeToken }: OpenDashboardOptions,
): OpenDashboard {
  const auditFile = valueOf(config, "audit.file");
  try {
    const dashboard = createDashboard({
      version: server.version,
      pages: pagesOf(packs),
      server: { server, packs: () => (isStandalone ? [] : packs), isStandalone, auditFile },
      log: (entry) => server.log(entry),
      writeToken,
    });
    return {
      pages: dashboard,
      async close() {
        dashboard.close();
        if (isStandalone) await Promise.all(packs.map((pack) => pack.close()));
      },
    };
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

/** The pages of all packs: the same list until a pack is switched on or off. */
function pagesOf(packs: readonly LivePack[]): () => readonly Page[] {
  let lists: readonly (readonly Page[])[] = [];
  let all: readonly Page[] = [];
  return () => {
    const current = packs.map((pack) => pack.pages);
    if (current.length !== lists.length || current.some((list, index) => list !== lists[index])) {
      lists = current;
      all = current.flat();
    }
    return all;
  };
}

/** Opens the packs for their pages only: their tools are not offered. A pack that cannot be opened is logged. */
export async function openPagePacks(config: Config, server: Server): Promise<readonly LivePack[]> {
  const loaders = Object.entries(await packsOf(config));
  const packs = loaders.map(([name, load]) => new LivePack(name, load, config, stateOf(config)));
  const host = hostWithoutTools(server);
  const open = async (pack: LivePack): Promise<LivePack[]> => {
    try {
      await pack.open(host);
      return [pack];
    } catch (error) {
      server.log({ level: "error", message: `the pages of pack "${pack.name}" are not available`, error });
      return [];
    }
  };
  return (await Promise.all(packs.map(open))).flat();
}

/** A server to which packs add nothing. */
const hostWithoutTools = (server: Server): PackHost => ({
  name: server.name,
  version: server.version,
  metrics: server.metrics,
  redaction: server.redaction,
  tools: [],
  log: (entry) => server.log(entry),
  addTool: ignore,
  removeTool: ignore,
  addPrompt: ignore,
  removePrompt: ignore,
  addResource: ignore,
  removeResource: ignore,
  notifyResourceUpdated: ignore,
  notifyResourceListChanged: ignore,
  completeElicitation: ignore,
});

const ignore = (): undefined => undefined;
