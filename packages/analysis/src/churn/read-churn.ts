import { NUL, type Repository, Splitter } from "@toolwright/kit/git";
import type { Analysis } from "../analysis.js";
import type { AnalysisCall } from "../project/project.js";
import type { Churn, ChurnQuery } from "./churn.js";
import { ChurnCounter } from "./churn-counter.js";
import { HistoryReader, type LogOptions, logArgs, MAX_NAMES, SINCE_OPTIONS, tooManyNames } from "./git-log.js";
import { gitKilled, type History, isSilentFailure, isUnknownOption, openHistory } from "./open-history.js";
import { toChurn } from "./to-churn.js";

const DAY = 86_400;
const PROGRESS_COMMITS = 500;

/** Reads the history of a folder in one pass over `git log`. The period ends at `now`. */
export async function readChurn(
  analysis: Analysis,
  call: AnalysisCall,
  query: ChurnQuery,
  now: Date = analysis.now(),
): Promise<Churn> {
  return readHistory(await openHistory(analysis, call, query.path), call, query, now);
}

async function readHistory(
  { repository, scope, names, head }: History,
  call: AnalysisCall,
  query: ChurnQuery,
  moment: Date,
): Promise<Churn> {
  const now = Math.floor(moment.getTime() / 1000);
  const since = now - query.period_days * DAY;
  const tracked = head === undefined ? new Set<string>() : await readTrackedNames(repository, head);
  const isInside = (name: string): boolean => scope.contains(name) && names.isVisible(name);
  const counter = new ChurnCounter({
    tracked,
    isInside,
    now,
    filter: {
      takesAll: query.all_commits === true,
      excluded: (query.exclude_authors ?? []).map((each) => each.trim().toLowerCase()).filter((each) => each !== ""),
      ignored: head === undefined ? new Set() : await readIgnoredCommits(repository, head, tracked),
      trackedFiles: tracked.size,
    },
  });
  if (head !== undefined) await readLog(repository, { query, scope, since, head }, counter, call);
  counter.end();
  const files = [...tracked].filter(isInside).length;
  return toChurn(counter, {
    names,
    tracked,
    files,
    since,
    now,
    root: scope.root,
    repository,
    isEmpty: head === undefined,
  });
}

async function readLog(
  repository: Repository,
  options: LogOptions,
  counter: ChurnCounter,
  call: AnalysisCall,
): Promise<void> {
  const reader = new HistoryReader((commit) => {
    counter.add(commit);
    if (counter.seen % PROGRESS_COMMITS === 0)
      call.onProgress?.({ stage: "Reading history", done: counter.seen, unit: "commits" });
  });
  const splitter = new Splitter(NUL, 64 * 1024, (record) => reader.read(record));
  const run = (option: (typeof SINCE_OPTIONS)[number]): Promise<number> =>
    repository.stream(logArgs(options, option), { operation: "read the history" }, (piece) => splitter.add(piece));
  const [preferred, fallback] = SINCE_OPTIONS;
  try {
    await run(preferred).catch((error: unknown) => {
      if (!isUnknownOption(error, preferred)) throw error;
      return run(fallback);
    });
  } catch (error) {
    throw isSilentFailure(error) ? gitKilled(counter.seen) : error;
  }
  reader.end();
}

/** How git marks a submodule. */
const SUBMODULE = "160000 ";

/** The names of all files of a commit, as bytes in latin1, without submodules. */
async function readTrackedNames(repository: Repository, commit: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  const splitter = new Splitter(NUL, 64 * 1024, (record) => {
    if (record.toString("latin1", 0, SUBMODULE.length) !== SUBMODULE)
      names.add(record.toString("latin1", record.indexOf("\t") + 1));
    if (names.size > MAX_NAMES) throw tooManyNames();
  });
  await repository.stream(
    ["ls-tree", "-r", "-z", "--full-tree", commit],
    { operation: "list the files of the repository" },
    (piece) => splitter.add(piece),
  );
  return names;
}

/** The file that lists commits which only format, for `git blame`. */
const IGNORE_FILE = ".git-blame-ignore-revs";
const MAX_IGNORE_BYTES = 1024 * 1024;

/** The hashes of commits that the repository marks as formatting only. */
async function readIgnoredCommits(
  repository: Repository,
  commit: string,
  tracked: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  if (!tracked.has(IGNORE_FILE)) return new Set();
  const pieces: Buffer[] = [];
  let bytes = 0;
  await repository.stream(
    ["cat-file", "blob", `${commit}:${IGNORE_FILE}`],
    { operation: `read ${IGNORE_FILE}` },
    (piece) => {
      pieces.push(piece);
      bytes += piece.length;
      return bytes < MAX_IGNORE_BYTES;
    },
  );
  const lines = Buffer.concat(pieces).toString("latin1").split("\n");
  return new Set(lines.map((line) => line.replace(/#.*/, "").trim().toLowerCase()));
}

/** The churn that was read last, for its further pages. */
interface CachedChurn {
  readonly key: string;
  readonly at: number;
  readonly churn: Churn;
}

/** How long it is kept, and the largest number of files to keep. */
const [CACHE_MS, MAX_CACHED_FILES] = [120_000, 20_000] as const;

const cached = new WeakMap<Analysis, CachedChurn>();

/** Reads the churn for a page. Pages after the first one come from the same reading, unless there is a new commit. */
export async function readChurnPage(
  analysis: Analysis,
  call: AnalysisCall,
  query: ChurnQuery,
  offset: number,
): Promise<Churn> {
  const history = await openHistory(analysis, call, query.path);
  const now = analysis.now();
  const key = JSON.stringify([history.scope.root, history.repository.gitDir, history.head, query]);
  const known = cached.get(analysis);
  const isFresh = known?.key === key && Math.abs(now.getTime() - known.at) < CACHE_MS;
  if (isFresh && offset > 0) return known.churn;
  cached.delete(analysis);
  const churn = await readHistory(history, call, query, now);
  if (churn.files.length <= MAX_CACHED_FILES) cached.set(analysis, { key, at: now.getTime(), churn });
  return churn;
}
