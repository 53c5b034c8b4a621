import type { PackContents, PackHost } from "@toolwright/kit/pack";
import { definePack } from "@toolwright/kit/pack";
import type { Corpus } from "./library/corpus.js";
import { SETTINGS, type Settings } from "./settings.js";

/** The tools, by toolset. */
const TOOLSETS = {
  threats: ["tmkb_query", "tmkb_get"],
  "threats-extra": ["tmkb_list", "tmkb_review", "tmkb_checklist", "tmkb_coverage", "tmkb_validate"],
} as const;

async function open(settings: Settings, host: PackHost, corpus?: Corpus): Promise<PackContents> {
  const [{ openThreats }, { tools }, { resources }, { prompts }] = await Promise.all([
    import("./threats-context.js"),
    import("./tools/tools.js"),
    import("./resources.js"),
    import("./prompts.js"),
  ]);
  const threats = await openThreats(settings, host, corpus);
  return {
    tools: tools(threats),
    resources: resources(threats),
    prompts: prompts(threats),
    close: () => threats.close(),
  };
}

const OPTIONS = {
  name: "threats",
  summary: "Architectural threat patterns, and code reviews with them",
  settings: SETTINGS,
  toolsets: TOOLSETS,
  optionalTools: TOOLSETS["threats-extra"],
  commands: { threats: async () => (await import("./commands/threats.js")).threats },
  prevalidated: true,
} as const;

/** The pack with other patterns in place of the built-in ones. */
export const createThreatsPack = (corpus: Corpus) =>
  definePack({ ...OPTIONS, open: (settings, host) => open(settings, host, corpus) });

/** Architectural threat patterns that an agent asks for before it writes code. What does the work is loaded by `open`. */
export default definePack({ ...OPTIONS, open });
