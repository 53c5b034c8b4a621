import type { Prompt } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import { refactorFunction } from "./refactor-function.js";
import { reviewHotspots } from "./review-hotspots.js";

/** What people can start with one word. */
export const prompts = (analysis: Analysis): readonly Prompt[] => [refactorFunction(analysis), reviewHotspots];
