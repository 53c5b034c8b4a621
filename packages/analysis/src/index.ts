import { definePack, type PackHost } from "@toolwright/kit/pack";
import { Analysis, SETTINGS, type Settings } from "./analysis.js";
import type { WorkersOptions } from "./project/workers.js";

/** The tools that are listed only on request. */
const OPTIONAL_TOOLS = [
  "analyze_hotspots",
  "analyze_code_churn",
  "analyze_satd",
  "analyze_duplicates",
  "analyze_dag",
  "quality_gate",
] as const;

const DEFINITION = {
  name: "analysis",
  summary: "Complexity, history and structure of source code",
  settings: SETTINGS,
  prevalidated: true,
  commands: { analyze: async () => (await import("./commands/analyze.js")).analyze },
  toolsets: { analysis: ["analyze_complexity", "generate_context", ...OPTIONAL_TOOLS] },
  optionalTools: OPTIONAL_TOOLS,
} as const;

async function open(settings: Settings, host: PackHost, threads: Partial<WorkersOptions> = {}) {
  const [{ createTools }, { prompts }] = await Promise.all([
    import("./tools/tools.js"),
    import("./prompts/prompts.js"),
  ]);
  const analysis = new Analysis({ settings, host, threads });
  return { tools: createTools(analysis), prompts: prompts(analysis), close: () => analysis.close() };
}

/** The pack with other worker threads, for tests. */
export const createAnalysis = (threads: Partial<WorkersOptions>) =>
  definePack({ ...DEFINITION, open: (settings, host) => open(settings, host, threads) });

/** Complexity, history and structure of source code. What does the work is loaded by `open`. */
export default definePack({ ...DEFINITION, open });
