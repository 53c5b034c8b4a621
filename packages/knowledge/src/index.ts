import { pack, type Tool } from "@toolwright/engine";
import type { SqlStore } from "@toolwright/kit/storage";
import { BoundTools } from "./bound-tools/bound-tools.js";
import { ChangeNotifier } from "./change-notifier.js";
import { openKnowledge } from "./knowledge-context.js";
import { knowledgePages } from "./pages/index.js";
import { prompts } from "./prompts.js";
import { resources } from "./resources.js";
import { SETTINGS } from "./settings.js";
import { tools } from "./tools/tools.js";

export { openKnowledge } from "./knowledge-context.js";

/** A knowledge base that finds passages by words and by meaning, and cites them; it is kept in `state` unless the settings say otherwise. */
export const createKnowledge = (state: string, now: () => Date = () => new Date(), configuration?: string) =>
  pack({
    name: "knowledge",
    settings: SETTINGS,
    prevalidated: true,
    async open(settings, host) {
      const notifier = new ChangeNotifier(host);
      const start = async (store: SqlStore): Promise<void> => {
        await notifier.start(store);
        await bound.start(store);
      };
      const context = openKnowledge(settings, state, host, now, start, configuration);
      let own: readonly Tool[] = [];
      // A server that replaces the pack while it runs opens the new one beside the old one.
      const bound = new BoundTools(context, host, () => own.some((tool) => host.tools.includes(tool)));
      bound.restore(context.database);
      own = tools(context, host, bound);
      return {
        /** Those of the moment: whoever withdraws the pack withdraws what came later too. */
        get tools() {
          return [...own, ...bound.tools];
        },
        resources: resources(context),
        prompts: prompts(context),
        pages: knowledgePages(context),
        async close() {
          notifier.stop();
          bound.stop();
          await context.close();
        },
      };
    },
  });
