import { pack } from "@toolwright/engine";
import type { Corpus } from "./library/corpus.js";
import { openThreats } from "./open-threats.js";
import { prompts } from "./prompts/prompts.js";
import { resources } from "./resources/resources.js";
import { SETTINGS } from "./settings.js";
import { tools } from "./tools/tools.js";

export { openThreats } from "./open-threats.js";

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
