import { type Call, ToolError } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import type { Churn } from "../churn/churn.js";
import type { Hotspots } from "../hotspots/hotspots.js";
import { writePage } from "./page.js";
import { readTrend } from "./read-trend.js";

/** What a page is made of. */
export interface PageWish {
  /** What was analysed, as the caller gave it. */
  readonly path: string;
  /** The name of the project. */
  readonly project: string;
  readonly hotspots: Hotspots;
  /** The history that they were ranked by; undefined = there is none. */
  readonly churn: Churn | undefined;
  /** Where the period of the hotspots ended. */
  readonly now: Date;
}

/** Adds to hotspots what the page shows of the past, and writes the page. Without history it has what there is. */
export async function makePage(
  analysis: Analysis,
  call: Pick<Call, "signal" | "supports" | "roots" | "progress">,
  { path, project, hotspots, churn, now }: PageWish,
): Promise<string> {
  if (churn === undefined) return writePage({ project, made: now, hotspots });
  const { period_days, files } = hotspots;
  try {
    const trend = await readTrend(analysis, call, { path, period_days, files, churn, now });
    return writePage({ project, made: now, hotspots, churn, trend });
  } catch (error) {
    // Past states may be missing where the clone is partial; the rest is worth showing all the same.
    if (call.signal.aborted || !(error instanceof ToolError)) throw error;
    const remarks = [...hotspots.remarks, `The past could not be measured. ${error.message}`];
    return writePage({ project, made: now, hotspots: { ...hotspots, remarks }, churn });
  }
}
