import { ToolError } from "@toolwright/engine";
import { toName } from "@toolwright/kit/git";
import type { ChurnQuery } from "./churn.js";
import type { HistoryScope } from "./open-history.js";

/** A change of one file. Names are bytes as latin1, so that names that are not UTF-8 stay distinct. */
export interface Change {
  /** The status letter of git: A, D, M, R or T. */
  readonly letter: number;
  readonly name: string;
  readonly from: string | undefined;
  additions: number;
  deletions: number;
}

/** One commit of a history. */
export interface HistoryCommit {
  readonly hash: string;
  /** The commit date, in seconds. */
  readonly time: number;
  readonly isMerge: boolean;
  /** Name and address by the mailmap. */
  readonly author: string;
  readonly address: string;
  readonly subject: string;
  readonly changes: readonly Change[];
}

/** The fields of a commit for `--format`. No record of a file begins like the first field. */
const COMMIT_FORMAT = "@%H%x00%ct%x00%P%x00%aN%x00%aE%x00%s";

const FIELDS = 6;
const [AT, COLON, LINE_BREAK, TAB, SPACE, DASH, ZERO] = [64, 58, 10, 9, 32, 45, 48] as const;

/** The status letters of new and of renamed files. */
export const [ADDED, RENAMED] = [65, 82] as const;
const COPIED = 67;

/** Reads the records of `git log -z --raw --numstat`, commit by commit. */
export class HistoryReader {
  readonly #onCommit: (commit: HistoryCommit) => void;
  #fields: Buffer[] = [];
  #changes: Change[] = [];
  #counted = 0;
  /** How many names are still expected, for a status letter or for counts. */
  #names = 0;
  #letter = 0;
  #from: string | undefined;
  #additions = 0;
  #deletions = 0;
  #isCount = false;

  constructor(onCommit: (commit: HistoryCommit) => void) {
    this.#onCommit = onCommit;
  }

  read(record: Buffer): void {
    if (this.#names > 0) this.#readName(record.toString("latin1"));
    else if (this.#fields.length > 0 && this.#fields.length < FIELDS) this.#fields.push(record);
    else if (record[0] === AT) {
      this.end();
      this.#fields.push(record);
    } else this.#readChange(record);
  }

  /** Emits the last commit. */
  end(): void {
    const [hash, time, parents, author, address, subject] = this.#fields;
    if (hash && time && parents && author && address && subject)
      this.#onCommit({
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
    // A line break separates the changes from the commit.
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
    else if (this.#changes.length < MAX_NAMES)
      this.#changes.push({ letter: this.#letter, name, from: this.#from, additions: 0, deletions: 0 });
    else throw tooManyNames();
  }

  /** Both lists have the same order, but not every file has counts. */
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

/** Digits as a number; 0 for the dash of a binary file. */
function toCount(record: Buffer, from: number, to: number): number {
  if (record[from] === DASH) return 0;
  let count = 0;
  for (let at = from; at < to; at += 1) count = count * 10 + (record[at] ?? ZERO) - ZERO;
  return count;
}

/** Selects the commits for `git log`. */
export interface LogOptions {
  readonly query: Pick<ChurnQuery, "follow_renames" | "all_commits">;
  readonly scope: HistoryScope;
  /** Seconds. */
  readonly since: number;
  readonly head: string;
}

/**
 * The options that select commits by date. The first one continues behind a commit that a wrong clock dated too early, which costs a walk
 * through the whole history: some tenths of a second for 50,000 commits. Git before 2.37 knows only the second one.
 */
export const SINCE_OPTIONS = ["--since-as-filter", "--since"] as const;

/** The arguments of git for the history of a folder. */
export function logArgs(
  { query, scope, since, head }: LogOptions,
  sinceOption: (typeof SINCE_OPTIONS)[number],
): readonly string[] {
  const followsRenames = query.follow_renames !== false;
  const folder = Buffer.from(scope.prefix, "latin1").toString("utf8");
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
    query.all_commits === true ? "--diff-merges=first-parent" : "--diff-merges=off",
    ...(followsRenames ? ["--find-renames", "-l1000"] : ["--no-renames", "--full-history"]),
    // Git cannot parse a date before 1970, and has no commit from then.
    ...(since > 0 ? [`${sinceOption}=${new Date(since * 1000).toISOString().slice(0, 19)}Z`] : []),
    head,
    "--",
    // Only the whole commit shows where a renamed file came from.
    ...(followsRenames || folder === "" ? [] : [folder]),
  ];
}

/** The memory limit: each name costs memory, and a few bytes of git objects can stand for any number of names. */
export const MAX_NAMES = 1_000_000;

/** A history has too many files. */
export const tooManyNames = (): ToolError =>
  new ToolError(`Cannot read the history: it has more than ${MAX_NAMES} file names.`, {
    code: "TOO_LARGE",
    hint: { action: "use a shorter period, or analyze a folder without following renames" },
    details: { expected: MAX_NAMES },
  });
