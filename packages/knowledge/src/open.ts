import type { Tool } from "@toolwright/engine";
import type { PackContents, PackHost } from "@toolwright/kit/pack";
import type { SqlStore } from "@toolwright/kit/storage";
import { BoundTools } from "./bound-tools/bound-tools.js";
import { KnowledgeContext } from "./knowledge-context.js";
import { knowledgePages } from "./pages/index.js";
import { prompts } from "./prompts.js";
import { createResourceUpdates } from "./resource-updates.js";
import { resources } from "./resources.js";
import type { Settings } from "./settings.js";
import { tools } from "./tools/tools.js";

/** Opens the pack. */
export function openPack(settings: Settings, host: PackHost): PackContents {
  const updates = createResourceUpdates(host);
  const context = new KnowledgeContext(settings, host, async (store: SqlStore) => {
    await updates.start(store);
    await boundTools.start(store);
  });
  let own: readonly Tool[] = [];
  // A server that replaces the pack while it runs opens the new one before it closes the old one.
  const boundTools = new BoundTools(context, host, () => own.some((tool) => host.tools.includes(tool)));
  boundTools.restore(context.database);
  own = tools(context, host, boundTools);
  return {
    /** The current tools: a server that removes the pack removes the bound tools, too. */
    get tools() {
      return [...own, ...boundTools.tools];
    },
    resources: resources(context),
    prompts: prompts(context),
    pages: knowledgePages(context),
    async close() {
      const stop = async () => void (await Promise.all([updates.stop(), boundTools.stop()]));
      await stop();
      // A database that was still being opened has started both again.
      await context.close(stop);
    },
  };
}
