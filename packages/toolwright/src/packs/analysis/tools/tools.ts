import type { Tool } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";

/** Every tool of the pack, in the order in which they are listed. */
export const tools = (_analysis: Analysis): readonly Tool[] => [];
