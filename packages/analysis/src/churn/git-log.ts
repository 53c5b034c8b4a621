import { ToolError } from "@toolwright/engine";
import { toName } from "@toolwright/kit/git";
import type { ChurnWish } from "./churn.js";
import type { Folder } from "./open-history.js";

/** What a commit does to one file. Names are bytes as latin1: each name has one spelling, also where it is no UTF-8. */
export interface Change {
  /** The letter that git has for it: A, D, M, R or T. */
  readonly letter: number;
  readonly name: string;
  readonly from: string | undefined;
  additions: number;
  deletions: number;
}

/** One commit of a history, as it was read. */
export interface HistoryCommit {
  readonly hash: string;
  /** When it was committed, in seconds. */
  readonly time: number;
  readonly isMerge: boolean;
  /** Name and address by the mailmap. */
  readonly author: string;
  readonly address: string;
  readonly subject: string;
  readonly changes: readonly Change[];
}

/** The fields of a commit, as `--format` takes them; no record of a file begins like the first. */
export const COMMIT_FORMAT = "@%H%x00%ct%x00%P%x00%aN%x00%aE%x00%s";

const FIELDS = 6;
const [AT, COLON, LINE_BREAK, TAB, SPACE, DASH, ZERO] = [64, 58, 10, 9, 32, 45, 48] as const;

/** The letters of a file that is new, and of one that has another name by now. */
export const [ADDED, RENAMED] = [65, 82] as const;
const COPIED = 67;

/** Reads the records of `git log -z --raw --numstat`, commit by commit. */
export class HistoryReader {
  readonly #give: (commit: HistoryCommit) => void;
  #fields: Buffer[] = [];
  #changes: Change[] = [];
  #counted = 0;
  /** How many names are still to come, for a letter or for a count. */
  #names = 0;
  #letter = 0;
  #from: string | undefined;
  #additions = 0;
  #deletions = 0;
  #isCount = false;

  constructor(give: (commit: HistoryCommit) => void) {
    this.#give = give;
  }

  read(record: Buffer): void {
    if (this.#names > 0) this.#readName(record.toString("latin1"));
    else if (this.#fields.length > 0 && this.#fields.length < FIELDS) this.#fields.push(record);
    else if (record[0] === AT) {
      this.end();
      this.#fields.push(record);
    } else this.#readChange(record);
  }

  /** Gives the commit that was read last, if there is one. */
  end(): void {
    const [hash, time, parents, author, address, subject] = this.#fields;
    if (hash && time && parents && author && address && subject)
      this.#give({
        hash: hash.toString("latin1", 1),
        time: Number(time.toString("latin1")),
        isMerge: parents.includes(SPACE),
        author: toName(author),
        address: toName(address),
        subject: toName(subject),
        changes: this.#changes,
      });
    this.#fields = [];
    this.#changes = [];
    this.#counted = 0;
  }

  #readChange(record: Buffer): void {
    // The text of a commit ends with a line break of its own.
    const start = record[0] === LINE_BREAK ? 1 : 0;
    this.#from = undefined;
    if (record[start] === COLON) {
      this.#letter = record[record.lastIndexOf(SPACE) + 1] ?? 0;
      this.#isCount = false;
      this.#names = this.#letter === RENAMED || this.#letter === COPIED ? 2 : 1;
    } else this.#readCounts(record, start);
  }

  #readCounts(record: Buffer, start: number): void {
    const middle = record.indexOf(TAB, start);
    const end = record.indexOf(TAB, middle + 1);
    this.#isCount = true;
    this.#additions = toCount(record, start, middle);
    this.#deletions = toCount(record, middle + 1, end);
    if (end + 1 < record.length) this.#count(record.toString("latin1", end + 1));
    else this.#names = 2;
  }

  #readName(name: string): void {
    this.#names -= 1;
    if (this.#names > 0) this.#from = name;
    else if (this.#isCount) this.#count(name);
    else if (this.#changes.length < MOST_NAMES)
      this.#changes.push({ letter: this.#letter, name, from: this.#from, additions: 0, deletions: 0 });
    else throw tooManyNames();
  }

  /** Both lists have the files in the same order, but not each file has counts. */
  #count(name: string): void {
    while (this.#counted < this.#changes.length) {
      const change = this.#changes[this.#counted];
      this.#counted += 1;
      if (change?.name !== name) continue;
      change.additions = this.#additions;
      change.deletions = this.#deletions;
      return;
    }
  }
}

/** Digits as a number; of a binary file, which has a dash there, 0. */
function toCount(record: Buffer, from: number, to: number): number {
  if (record[from] === DASH) return 0;
  let count = 0;
  for (let at = from; at < to; at += 1) count = count * 10 + (record[at] ?? ZERO) - ZERO;
  return count;
}

/** Which commits git is asked for. */
export interface LogWish {
  readonly wish: Pick<ChurnWish, "follow_renames" | "all_commits">;
  readonly folder: Folder;
  /** Seconds. */
  readonly since: number;
  readonly head: string;
}

/**
 * How git leaves out what is older. The first looks behind a commit that a wrong clock dated too early, at the cost of walking through the
 * whole history without comparing files: some tenths of a second for 50,000 commits. Git before 2.37 knows only the second.
 */
export const SINCE_WORDS = ["--since-as-filter", "--since"] as const;

/** What git is asked for the history of a folder. */
export function logArgs({ wish, folder, since, head }: LogWish, word: (typeof SINCE_WORDS)[number]): readonly string[] {
  const isFollowing = wish.follow_renames !== false;
  const below = Buffer.from(folder.prefix, "latin1").toString("utf8");
  return [
    "-c",
    "log.showRoot=true",
    "-c",
    "log.follow=false",
    "log",
    "-z",
    `--format=${COMMIT_FORMAT}`,
    "--raw",
    "--no-abbrev",
    "--numstat",
    "--no-show-signature",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--diff-algorithm=default",
    "--ignore-submodules=all",
    wish.all_commits === true ? "--diff-merges=first-parent" : "--diff-merges=off",
    ...(isFollowing ? ["--find-renames", "-l1000"] : ["--no-renames", "--full-history"]),
    // Git cannot read a date before 1970, and has no commit from then.
    ...(since > 0 ? [`${word}=${new Date(since * 1000).toISOString().slice(0, 19)}Z`] : []),
    head,
    "--",
    // Where a file came from is seen only in the whole of a commit.
    ...(isFollowing || below === "" ? [] : [below]),
  ];
}

/** More names than any honest history has; each costs memory, and a few bytes of git objects can stand for any number. */
export const MOST_NAMES = 1_000_000;

/** A history has too many files to be counted. */
export const tooManyNames = (): ToolError =>
  new ToolError(
    `Cannot read the history: it has more than ${MOST_NAMES} names of files. Ask for a shorter period_days, or for a folder with follow_renames: false.`,
    { code: "TOO_LARGE", details: { expected: MOST_NAMES } },
  );
