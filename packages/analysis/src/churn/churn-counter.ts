import { type Author, SharedCommits } from "./coupling.js";
import { type Change, type HistoryCommit, MAX_NAMES, tooManyNames } from "./git-log.js";
import { addAuthor, type FileRecord, RenameTracker } from "./rename-tracker.js";

/** Why a commit is ignored. */
export type IgnoreReason = "merges" | "bots" | "bulk" | "excluded";

/** Selects the commits that count. */
export interface CommitFilter {
  /** Takes all commits but those of excluded authors. */
  readonly takesAll: boolean;
  readonly excluded: readonly string[];
  /** Hashes in `.git-blame-ignore-revs`. */
  readonly ignored: ReadonlySet<string>;
  /** The current number of files in the repository. */
  readonly trackedFiles: number;
}

/** The options of a `ChurnCounter`. */
export interface ChurnCounterOptions {
  readonly filter: CommitFilter;
  /** The names of all current files. */
  readonly tracked: ReadonlySet<string>;
  readonly isInside: (name: string) => boolean;
  /** Seconds. */
  readonly now: number;
}

/** Counts the changes of a history, while it is read from the newest commit to the oldest. */
export class ChurnCounter {
  commits = 0;
  /** How many commits were read, including ignored ones. */
  seen = 0;
  readonly leftOut: Record<IgnoreReason, number> = { merges: 0, bots: 0, bulk: 0, excluded: 0 };
  readonly authors = new Map<string, Author>();
  readonly shared = new SharedCommits();
  readonly weeks: Weeks;
  readonly renames: RenameTracker;
  readonly #filter: CommitFilter;

  constructor({ filter, tracked, isInside, now }: ChurnCounterOptions) {
    this.#filter = filter;
    this.renames = new RenameTracker(tracked, isInside);
    this.weeks = new Weeks(now);
  }

  add(commit: HistoryCommit): void {
    this.seen += 1;
    const reason = ignoreReason(commit, this.#filter);
    if (reason === "merges") {
      this.leftOut.merges += 1;
      return;
    }
    const inside = this.#countChanges(commit, reason === undefined);
    if (inside.length === 0) return;
    if (reason !== undefined) {
      this.leftOut[reason] += 1;
      return;
    }
    this.commits += 1;
    const by = this.authors.get(commit.author) ?? { name: commit.author, commits: 0 };
    by.commits += 1;
    this.authors.set(by.name, by);
    this.shared.add(inside, by);
  }

  /** Must be called after the last commit: only then it is known which names belong to one file. */
  end(): void {
    this.shared.resolveRenames(
      (index) => this.renames.at(index),
      (file, { name }) => {
        file.commits -= 1;
        addAuthor(file, name, -1, 0);
      },
    );
  }

  /** Follows renames, in ignored commits, too. Returns the files inside the folder, each once. */
  #countChanges(commit: HistoryCommit, isCounted: boolean): readonly FileRecord[] {
    const inside: FileRecord[] = [];
    let lines = 0;
    for (const change of commit.changes) {
      const file = this.renames.fileOf(change);
      if (file.isInside) {
        if (file.seen !== this.seen) inside.push(file);
        if (isCounted) lines += this.#count(file, change, commit);
        file.seen = this.seen;
      }
      this.renames.follow(change, file);
    }
    if (this.renames.size > MAX_NAMES) throw tooManyNames();
    if (isCounted && inside.length > 0) this.weeks.add(commit.time, lines);
    return inside;
  }

  #count(file: FileRecord, { additions, deletions }: Change, { time, author }: HistoryCommit): number {
    const isFirst = file.seen !== this.seen;
    if (isFirst) file.commits += 1;
    file.additions += additions;
    file.deletions += deletions;
    file.first = Math.min(file.first, time);
    file.last = Math.max(file.last, time);
    addAuthor(file, author, isFirst ? 1 : 0, additions + deletions);
    return additions + deletions;
  }
}

/** More files than a person changes by hand, if they are also a large part of the repository. */
const BULK = { files: 100, share: 0.3 } as const;

/** A commit whose message says that it formats is ignored if it changes this many files. */
const FORMATTED_FILES = 20;

const BOT_NAME =
  /\[bot\]$|[-_]bot$|^(?:dependabot|renovate|greenkeeper|github[ -]actions?|semantic[ -]release|mergify|snyk|pre-commit-ci|allcontributors|imgbot|k8s-ci-robot|bors|homu)\b/i;
const BOT_ADDRESS =
  /\[bot\]@|^(?:bot|noreply|no-reply|support)@(?:dependabot|renovateapp|greenkeeper|snyk|mergify)\b|^semantic-release-bot@/i;

const FORMATS =
  /^style(?:\([^)]*\))?!?:|\b(?:prettier|rustfmt|gofmt|goimports|clang-format|ktlint|swiftformat|rubocop|autopep8|yapf|isort)\b|\b(?:cargo|go|ruff|biome|dprint|deno) (?:fmt|format|check)\b|\beslint --fix\b|\b(?:run|apply|with|by|use) (?:black|lint(?:er)?|biome)\b|\bblackened?\b(?= (?:code|format))|\bre-?(?:format|indent)|\b(?:auto-?|code )?format(?:s|ted|ting)? (?:all|code|everything|files|sources?|the (?:code|project|repo)|whole)|\b(?:code |auto-?)format(?:ting)?\b|\bfix lint(?:ing)?\b|\blint fixes\b|\bwhitespace\b|\bline endings?\b|\bindentation\b/i;

function ignoreReason(commit: HistoryCommit, filter: CommitFilter): IgnoreReason | undefined {
  if (commit.isMerge && !filter.takesAll) return "merges";
  if (filter.excluded.length > 0 && isExcluded(commit, filter.excluded)) return "excluded";
  if (filter.takesAll) return undefined;
  if (BOT_NAME.test(commit.author) || BOT_ADDRESS.test(commit.address)) return "bots";
  return isBulk(commit, filter) ? "bulk" : undefined;
}

function isExcluded({ author, address }: HistoryCommit, excluded: readonly string[]): boolean {
  const [name, mail] = [author.toLowerCase(), address.toLowerCase()];
  return excluded.some((each) => each === name || each === mail);
}

function isBulk({ hash, subject, changes }: HistoryCommit, { ignored, trackedFiles }: CommitFilter): boolean {
  const files = changes.length;
  if (files > BULK.files && files > BULK.share * trackedFiles) return true;
  return (files >= FORMATTED_FILES && FORMATS.test(subject)) || ignored.has(hash);
}

const WEEK = 7 * 86_400;

/** The first Monday after the epoch. */
const MONDAY = 4 * 86_400;

/** Counts commits by weeks that begin on Monday. */
export class Weeks {
  readonly #now: number;
  readonly #weeks = new Map<number, { commits: number; lines: number }>();

  /** `now` in seconds: commits from the future, by a wrong clock, count for this week. */
  constructor(now: number) {
    this.#now = now;
  }

  add(time: number, lines: number): void {
    const at = weekOf(Math.min(time, this.#now));
    const week = this.#weeks.get(at) ?? { commits: 0, lines: 0 };
    week.commits += 1;
    week.lines += lines;
    this.#weeks.set(at, week);
  }

  /** Every week from the first one with a commit until now. */
  list(): readonly { readonly from: string; readonly commits: number; readonly lines: number }[] {
    if (this.#weeks.size === 0) return [];
    const first = [...this.#weeks.keys()].reduce((min, each) => Math.min(min, each));
    return Array.from({ length: weekOf(this.#now) - first + 1 }, (_, at) => ({
      from: toDate((first + at) * WEEK + MONDAY),
      ...(this.#weeks.get(first + at) ?? { commits: 0, lines: 0 }),
    }));
  }
}

const weekOf = (time: number): number => Math.floor((time - MONDAY) / WEEK);

/** The day of a time in seconds, as YYYY-MM-DD. */
export const toDate = (time: number): string => new Date(time * 1000).toISOString().slice(0, 10);
