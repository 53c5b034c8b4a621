import type { Analysis } from "../analysis.js";
import type { Churn, ChurnWish } from "./churn.js";
import { type ChurnCall, openHistory } from "./open-history.js";
import { readHistory } from "./read-churn.js";

/** What was read last, and of what. */
interface Kept {
  readonly key: string;
  readonly at: number;
  readonly churn: Churn;
}

/** How long pages are of one reading, and of how many files it may be. */
const [KEPT_MS, MOST_FILES] = [120_000, 20_000] as const;

const kept = new WeakMap<Analysis, Kept>();

/** Reads a history for its first page; those after it are of the same reading, as long as there is no new commit. */
export async function churnForPage(
  analysis: Analysis,
  call: ChurnCall,
  wish: ChurnWish,
  offset: number,
): Promise<Churn> {
  const history = await openHistory(analysis, call, wish.path);
  const moment = new Date();
  const key = JSON.stringify([history.folder.root, history.repository.gitDir, history.head, wish]);
  const known = kept.get(analysis);
  const isFresh = known?.key === key && Math.abs(moment.getTime() - known.at) < KEPT_MS;
  if (isFresh && offset > 0) return known.churn;
  kept.delete(analysis);
  const churn = await readHistory(history, call, wish, moment);
  if (churn.files.length <= MOST_FILES) kept.set(analysis, { key, at: moment.getTime(), churn });
  return churn;
}
