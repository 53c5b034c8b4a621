import { type Author, SharedCommits } from "./coupling.js";
import { type Change, type HistoryCommit, MOST_NAMES, tooManyNames } from "./git-log.js";
import { addTo, type FileRecord, Lineage } from "./lineage.js";

/** What decides how a history is counted. */
export interface TallyOptions {
  readonly sieve: Sieve;
  /** Names of all files of today. */
  readonly tracked: ReadonlySet<string>;
  readonly isInside: (name: string) => boolean;
  /** Seconds. */
  readonly now: number;
}

/** Counts a history while it is read, from the newest commit to the oldest. */
export class Tally {
  commits = 0;
  /** How many commits were read, whether they count or not. */
  seen = 0;
  readonly leftOut: Record<Reason, number> = { merges: 0, bots: 0, bulk: 0, excluded: 0 };
  readonly authors = new Map<string, Author>();
  readonly shared = new SharedCommits();
  readonly weeks: Weeks;
  readonly lineage: Lineage;
  readonly #sieve: Sieve;

  constructor({ sieve, tracked, isInside, now }: TallyOptions) {
    this.#sieve = sieve;
    this.lineage = new Lineage(tracked, isInside);
    this.weeks = new Weeks(now);
  }

  add(commit: HistoryCommit): void {
    this.seen += 1;
    const reason = whyLeftOut(commit, this.#sieve);
    if (reason === "merges") {
      this.leftOut.merges += 1;
      return;
    }
    const inside = this.#take(commit, reason === undefined);
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

  /** Must be called when all is read: only then it is known which names belong to one file. */
  end(): void {
    this.shared.settle(
      (index) => this.lineage.at(index),
      (file, { name }) => {
        file.commits -= 1;
        addTo(file, name, -1, 0);
      },
    );
  }

  /** Follows the names, also where the commit does not count. Gives the files inside the folder, each once. */
  #take(commit: HistoryCommit, isCounted: boolean): readonly FileRecord[] {
    const inside: FileRecord[] = [];
    let lines = 0;
    for (const change of commit.changes) {
      const file = this.lineage.fileOf(change);
      if (file.isInside) {
        if (file.seen !== this.seen) inside.push(file);
        if (isCounted) lines += this.#count(file, change, commit);
        file.seen = this.seen;
      }
      this.lineage.goBack(change, file);
    }
    if (this.lineage.size > MOST_NAMES) throw tooManyNames();
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
    addTo(file, author, isFirst ? 1 : 0, additions + deletions);
    return additions + deletions;
  }
}

/** Why a commit does not count. */
export type Reason = "merges" | "bots" | "bulk" | "excluded";

/** What decides which commits count. */
export interface Sieve {
  /** Lets all commits count but those of excluded authors. */
  readonly isOpen: boolean;
  readonly excluded: readonly string[];
  /** Hashes that `.git-blame-ignore-revs` lists. */
  readonly ignored: ReadonlySet<string>;
  /** How many files the repository has today. */
  readonly tracked: number;
}

/** More files than one person changes by hand in one go, where they are a good part of all. */
const BULK = { files: 100, share: 0.3 } as const;

/** A commit that says that it formats is believed where it changes this many files. */
const FORMATTED_FILES = 20;

const BOT_NAME =
  /\[bot\]$|[-_]bot$|^(?:dependabot|renovate|greenkeeper|github[ -]actions?|semantic[ -]release|mergify|snyk|pre-commit-ci|allcontributors|imgbot|k8s-ci-robot|bors|homu)\b/i;
const BOT_ADDRESS =
  /\[bot\]@|^(?:bot|noreply|no-reply|support)@(?:dependabot|renovateapp|greenkeeper|snyk|mergify)\b|^semantic-release-bot@/i;

const FORMATS =
  /^style(?:\([^)]*\))?!?:|\b(?:prettier|rustfmt|gofmt|goimports|clang-format|ktlint|swiftformat|rubocop|autopep8|yapf|isort)\b|\b(?:cargo|go|ruff|biome|dprint|deno) (?:fmt|format|check)\b|\beslint --fix\b|\b(?:run|apply|with|by|use) (?:black|lint(?:er)?|biome)\b|\bblackened?\b(?= (?:code|format))|\bre-?(?:format|indent)|\b(?:auto-?|code )?format(?:s|ted|ting)? (?:all|code|everything|files|sources?|the (?:code|project|repo)|whole)|\b(?:code |auto-?)format(?:ting)?\b|\bfix lint(?:ing)?\b|\blint fixes\b|\bwhitespace\b|\bline endings?\b|\bindentation\b/i;

/** Says why a commit does not count; undefined = it does. */
export function whyLeftOut(commit: HistoryCommit, sieve: Sieve): Reason | undefined {
  if (commit.isMerge && !sieve.isOpen) return "merges";
  if (sieve.excluded.length > 0 && isExcluded(commit, sieve.excluded)) return "excluded";
  if (sieve.isOpen) return undefined;
  if (BOT_NAME.test(commit.author) || BOT_ADDRESS.test(commit.address)) return "bots";
  return isBulk(commit, sieve) ? "bulk" : undefined;
}

function isExcluded({ author, address }: HistoryCommit, excluded: readonly string[]): boolean {
  const [name, mail] = [author.toLowerCase(), address.toLowerCase()];
  return excluded.some((each) => each === name || each === mail);
}

function isBulk({ hash, subject, changes }: HistoryCommit, { ignored, tracked }: Sieve): boolean {
  const files = changes.length;
  if (files > BULK.files && files > BULK.share * tracked) return true;
  return (files >= FORMATTED_FILES && FORMATS.test(subject)) || ignored.has(hash);
}

const WEEK = 7 * 86_400;

/** The first Monday that a clock which counts from 1970 knows of. */
const MONDAY = 4 * 86_400;

/** Counts commits by weeks that begin on Monday. */
export class Weeks {
  readonly #now: number;
  readonly #weeks = new Map<number, { commits: number; lines: number }>();

  /** `now` in seconds: what is dated later by a wrong clock counts for this week. */
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

  /** Every week from the first with a commit until now. */
  list(): readonly { readonly from: string; readonly commits: number; readonly lines: number }[] {
    if (this.#weeks.size === 0) return [];
    const first = [...this.#weeks.keys()].reduce((least, each) => Math.min(least, each));
    return Array.from({ length: weekOf(this.#now) - first + 1 }, (_, at) => ({
      from: toDate((first + at) * WEEK + MONDAY),
      ...(this.#weeks.get(first + at) ?? { commits: 0, lines: 0 }),
    }));
  }
}

const weekOf = (time: number): number => Math.floor((time - MONDAY) / WEEK);

/** The day of a moment in seconds, as YYYY-MM-DD. */
export const toDate = (time: number): string => new Date(time * 1000).toISOString().slice(0, 10);
