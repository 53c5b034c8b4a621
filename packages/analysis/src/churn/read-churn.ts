import { NUL, type Repository, Splitter } from "@toolwright/kit/git";
import type { Analysis } from "../analysis.js";
import type { Churn, ChurnWish } from "./churn.js";
import { gitEnded, isSilent, isUnknown } from "./faults.js";
import { HistoryReader } from "./history.js";
import { type LogWish, logArgs, SINCE_WORDS } from "./log-args.js";
import { type ChurnCall, type OpenHistory, openHistory } from "./open-history.js";
import { Tally } from "./tally.js";
import { toChurn } from "./to-churn.js";
import { readIgnored, readTracked } from "./tracked-files.js";

const DAY = 86_400;

/** After how many commits progress is told. */
const TELL_EACH = 500;

/** Reads the history of a folder in one pass over `git log`. The period ends at `moment`. */
export async function readChurn(
  analysis: Analysis,
  call: ChurnCall,
  wish: ChurnWish,
  moment: Date = new Date(),
): Promise<Churn> {
  return readHistory(await openHistory(analysis, call, wish.path), call, wish, moment);
}

/** Reads a history that is open. */
export async function readHistory(
  { repository, folder, names, head }: OpenHistory,
  call: ChurnCall,
  wish: ChurnWish,
  moment: Date,
): Promise<Churn> {
  const now = Math.floor(moment.getTime() / 1000);
  const since = now - wish.period_days * DAY;
  const tracked = head === undefined ? new Set<string>() : await readTracked(repository, head);
  const isInside = (name: string): boolean => folder.isInside(name) && names.isShown(name);
  const tally = new Tally({
    tracked,
    isInside,
    now,
    sieve: {
      isOpen: wish.all_commits === true,
      excluded: (wish.exclude_authors ?? []).map((each) => each.trim().toLowerCase()).filter((each) => each !== ""),
      ignored: head === undefined ? new Set() : await readIgnored(repository, head, tracked),
      tracked: tracked.size,
    },
  });
  if (head !== undefined) await readLog(repository, { wish, folder, since, head }, tally, call);
  tally.end();
  const files = [...tracked].filter(isInside).length;
  return toChurn(tally, {
    names,
    tracked,
    files,
    since,
    now,
    root: folder.root,
    repository,
    isEmpty: head === undefined,
  });
}

async function readLog(repository: Repository, log: LogWish, tally: Tally, call: ChurnCall): Promise<void> {
  const reader = new HistoryReader((commit) => {
    tally.add(commit);
    if (tally.seen % TELL_EACH === 0) call.progress(tally.seen, `${tally.seen} commits read`);
  });
  const splitter = new Splitter(NUL, 64 * 1024, (record) => reader.read(record));
  const ask = (word: (typeof SINCE_WORDS)[number]): Promise<number> =>
    repository.stream(logArgs(log, word), { deed: "read the history" }, (piece) => splitter.add(piece));
  const [filter, stop] = SINCE_WORDS;
  try {
    await ask(filter).catch((error: unknown) => {
      if (!isUnknown(error, filter)) throw error;
      return ask(stop);
    });
  } catch (error) {
    throw isSilent(error) ? gitEnded(tally.seen) : error;
  }
  reader.end();
}
