import { definePack } from "@toolwright/kit/pack";
import { Analysis } from "./analysis.js";
import type { WorkersOptions } from "./project/workers.js";
import { prompts } from "./prompts/prompts.js";
import { SETTINGS } from "./settings.js";
import { createTools } from "./tools/tools.js";

/** The pack, with options for its worker threads that only tests need. */
export const createAnalysis = (threads: Partial<WorkersOptions> = {}) =>
  definePack({
    name: "analysis",
    summary: "Complexity, history and structure of source code",
    settings: SETTINGS,
    prevalidated: true,
    commands: { analyze: async () => (await import("./commands/analyze.js")).analyze },
    toolsets: {
      analysis: [
        "analyze_complexity",
        "generate_context",
        "analyze_hotspots",
        "analyze_code_churn",
        "analyze_satd",
        "analyze_duplicates",
        "analyze_dag",
        "quality_gate",
      ],
    },
    optionalTools: [
      "analyze_hotspots",
      "analyze_code_churn",
      "analyze_satd",
      "analyze_duplicates",
      "analyze_dag",
      "quality_gate",
    ],
    open(settings, host) {
      const analysis = new Analysis({ settings, host, threads });
      return { tools: createTools(analysis), prompts: prompts(analysis), close: () => analysis.close() };
    },
  });

export default createAnalysis();
