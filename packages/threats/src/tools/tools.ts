import type { Tool } from "@toolwright/engine";
import type { Desk } from "../desk.js";
import { tmkbChecklist } from "./tmkb-checklist.js";
import { tmkbCoverage } from "./tmkb-coverage.js";
import { tmkbGet } from "./tmkb-get.js";
import { tmkbList } from "./tmkb-list.js";
import { tmkbQuery } from "./tmkb-query.js";
import { tmkbReview } from "./tmkb-review.js";
import { tmkbValidate } from "./tmkb-validate.js";

/** The tools in the order in which they are listed. */
export const tools = (desk: Desk): readonly Tool[] =>
  [tmkbQuery, tmkbList, tmkbGet, tmkbReview, tmkbChecklist, tmkbCoverage, tmkbValidate].map((make) => make(desk));
