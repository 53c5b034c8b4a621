import { NUL, type Repository, Splitter } from "@toolwright/kit/git";
import type { Analysis } from "../analysis.js";
import type { Churn, ChurnWish } from "./churn.js";
import { HistoryReader, type LogWish, logArgs, MOST_NAMES, SINCE_WORDS, tooManyNames } from "./git-log.js";
import { type ChurnCall, gitEnded, isSilent, isUnknown, type OpenHistory, openHistory } from "./open-history.js";
import { Tally } from "./tally.js";
import { toChurn } from "./to-churn.js";

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

/** How git writes that an entry is a submodule. */
const SUBMODULE = "160000 ";

/** The names of all files of a commit, as bytes in latin1. Submodules are repositories of their own, and left out. */
export async function readTracked(repository: Repository, commit: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  const splitter = new Splitter(NUL, 64 * 1024, (record) => {
    if (record.toString("latin1", 0, SUBMODULE.length) !== SUBMODULE)
      names.add(record.toString("latin1", record.indexOf("\t") + 1));
    if (names.size > MOST_NAMES) throw tooManyNames();
  });
  await repository.stream(
    ["ls-tree", "-r", "-z", "--full-tree", commit],
    { deed: "list the files of the repository" },
    (piece) => splitter.add(piece),
  );
  return names;
}

/** The list by which `git blame` passes over commits that only format. */
const IGNORE_FILE = ".git-blame-ignore-revs";
const MOST_BYTES = 1024 * 1024;

/** The hashes that the repository itself says to pass over. */
export async function readIgnored(
  repository: Repository,
  commit: string,
  tracked: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  if (!tracked.has(IGNORE_FILE)) return new Set();
  const pieces: Buffer[] = [];
  let bytes = 0;
  await repository.stream(
    ["cat-file", "blob", `${commit}:${IGNORE_FILE}`],
    { deed: `read ${IGNORE_FILE}` },
    (piece) => {
      pieces.push(piece);
      bytes += piece.length;
      return bytes < MOST_BYTES;
    },
  );
  const lines = Buffer.concat(pieces).toString("latin1").split("\n");
  return new Set(lines.map((line) => line.replace(/#.*/, "").trim().toLowerCase()));
}
