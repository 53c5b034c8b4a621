import path from "node:path";
import { type PackHost, pack } from "@toolwright/engine";
import { AccessPolicy, startFolders } from "@toolwright/kit/files";
import { Analysis } from "./analysis.js";
import type { WorkersOptions } from "./project/workers.js";
import { prompts } from "./prompts/prompts.js";
import { SETTINGS, type Settings } from "./settings.js";
import { tools } from "./tools/tools.js";

/** Complexity, history and structure of code; what it keeps lies in `state`. */
export const createAnalysis = (state: string, threads: Partial<WorkersOptions> = {}) =>
  pack({
    name: "analysis",
    settings: SETTINGS,
    prevalidated: true,
    async open(settings, host) {
      const analysis = await openAnalysis(settings, state, host, threads);
      return { tools: tools(analysis), prompts: prompts(analysis), close: () => analysis.close() };
    },
  });

/** Opens what the tools, and the command line, work with. */
export async function openAnalysis(
  settings: Settings,
  state: string,
  host: Pick<PackHost, "log">,
  threads: Partial<WorkersOptions> = {},
): Promise<Analysis> {
  const grant = await AccessPolicy.open(settings, { ...(await startFolders()), own: [state] });
  return new Analysis({ settings, state: path.join(state, "analysis"), host, grant, threads });
}
