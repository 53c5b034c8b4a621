import { pack } from "@toolwright/engine";
import type { Corpus } from "./library/corpus.js";
import { prompts } from "./prompts.js";
import { resources } from "./resources.js";
import { SETTINGS } from "./settings.js";
import { openThreats } from "./threats-context.js";
import { tools } from "./tools/tools.js";

export { openThreats } from "./threats-context.js";

/** Architectural threat patterns, asked before code is written; `corpus` takes the place of the built-in ones. */
export const createThreats = (corpus?: Corpus) =>
  pack({
    name: "threats",
    settings: SETTINGS,
    prevalidated: true,
    async open(settings, host) {
      const { desk, close } = await openThreats(settings, host, corpus);
      return { tools: tools(desk), resources: resources(desk), prompts: prompts(desk), close };
    },
  });

/** The pack with the patterns that come with the program. */
export const threats = createThreats();
