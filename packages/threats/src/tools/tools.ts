import type { Tool } from "@toolwright/engine";
import type { ThreatsContext } from "../threats-context.js";
import { getTool, listTool, validateTool } from "./library-tools.js";
import { queryTool } from "./query-tool.js";
import { checklistTool, coverageTool, reviewTool } from "./review-tools.js";

/** Creates the tools of the pack, in the order in which they are listed. */
export const tools = (threats: ThreatsContext): readonly Tool[] =>
  [queryTool, getTool, listTool, reviewTool, checklistTool, coverageTool, validateTool].map((create) =>
    create(threats),
  );
