import { toName } from "@toolwright/kit/git";
import { MOST_NAMES, tooManyNames } from "./names-limit.js";

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
