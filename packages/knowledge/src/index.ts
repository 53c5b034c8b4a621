import type { Tool } from "@toolwright/engine";
import { definePack } from "@toolwright/kit/pack";
import type { SqlStore } from "@toolwright/kit/storage";
import { BoundTools } from "./bound-tools/bound-tools.js";
import { ChangeNotifier } from "./change-notifier.js";
import { KnowledgeContext } from "./knowledge-context.js";
import { knowledgePages } from "./pages/index.js";
import { prompts } from "./prompts.js";
import { resources } from "./resources.js";
import { SETTINGS } from "./settings.js";
import { OPTIONAL_TOOLS, TOOLSETS, tools } from "./tools/tools.js";

/** A knowledge base: versioned collections of documents with hybrid search and citations. */
export default definePack({
  name: "knowledge",
  summary: "Documents to search, cite and get answers from",
  settings: SETTINGS,
  toolsets: TOOLSETS,
  optionalTools: OPTIONAL_TOOLS,
  prevalidated: true,
  commands: { kb: async () => (await import("./commands/kb.js")).kb },
  async open(settings, host) {
    const notifier = new ChangeNotifier(host);
    const context = new KnowledgeContext(settings, host, async (store: SqlStore) => {
      await notifier.start(store);
      await boundTools.start(store);
    });
    let own: readonly Tool[] = [];
    // When a pack is replaced at run time, the new instance opens before the old one closes.
    const boundTools = new BoundTools(context, host, () => own.some((tool) => host.tools.includes(tool)));
    boundTools.restore(context.database);
    own = tools(context, host, boundTools);
    return {
      /** A getter, so that a server that removes the pack removes the bound tools, too. */
      get tools() {
        return [...own, ...boundTools.tools];
      },
      resources: resources(context),
      prompts: prompts(context),
      pages: knowledgePages(context),
      async close() {
        notifier.stop();
        boundTools.stop();
        await context.close();
      },
    };
  },
});
