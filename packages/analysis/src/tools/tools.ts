import type { Tool } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import { analyzeCodeChurn } from "./analyze-code-churn.js";
import { analyzeComplexity } from "./analyze-complexity.js";
import { analyzeDag } from "./analyze-dag.js";
import { analyzeDuplicates } from "./analyze-duplicates.js";
import { analyzeHotspots } from "./analyze-hotspots.js";
import { analyzeSatd } from "./analyze-satd.js";
import { generateContext } from "./generate-context.js";
import { qualityGate } from "./quality-gate.js";

/** Every tool of the pack, in the order in which they are listed. */
export const tools = (analysis: Analysis): readonly Tool[] => [
  analyzeComplexity(analysis),
  analyzeCodeChurn(analysis),
  analyzeHotspots(analysis),
  analyzeSatd(analysis),
  analyzeDuplicates(analysis),
  analyzeDag(analysis),
  generateContext(analysis),
  qualityGate(analysis),
];
