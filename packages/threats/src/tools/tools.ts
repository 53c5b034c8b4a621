import type { Tool } from "@toolwright/engine";
import type { ThreatsContext } from "../threats-context.js";
import { tmkbGet, tmkbList, tmkbValidate } from "./library-tools.js";
import { tmkbQuery } from "./query-tool.js";
import { tmkbChecklist, tmkbCoverage, tmkbReview } from "./review-tools.js";

/** The tools in the order in which they are listed. */
export const tools = (desk: ThreatsContext): readonly Tool[] =>
  [tmkbQuery, tmkbList, tmkbGet, tmkbReview, tmkbChecklist, tmkbCoverage, tmkbValidate].map((make) => make(desk));
