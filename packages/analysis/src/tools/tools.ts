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

/** The tools of the pack, in the order in which they are listed. */
export const createTools = (analysis: Analysis): readonly Tool[] => [
  analyzeComplexity(analysis),
  generateContext(analysis),
  analyzeHotspots(analysis),
  analyzeCodeChurn(analysis),
  analyzeSatd(analysis),
  analyzeDuplicates(analysis),
  analyzeDag(analysis),
  qualityGate(analysis),
];
