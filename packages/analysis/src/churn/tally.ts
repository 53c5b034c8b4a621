import type { Change, HistoryCommit } from "./history.js";
import { type Reason, type Sieve, whyLeftOut } from "./left-out.js";
import { addTo, type FileRecord, Lineage } from "./lineage.js";
import { MOST_NAMES, tooManyNames } from "./names-limit.js";
import { type Author, SharedCommits } from "./shared-commits.js";
import { Weeks } from "./weeks.js";

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
