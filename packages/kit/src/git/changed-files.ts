import { isUtf8 } from "node:buffer";
import { toName } from "./names.js";

/** A file that differs between two states, as `--raw` and `--numstat` tell. */
export interface ChangedFile {
  /** The letter that git has for it: A, C, D, M, R, T or U. */
  letter: string;
  readonly name: string;
  readonly from: string | undefined;
  readonly modes: readonly [before: string, after: string];
  additions?: number;
  deletions?: number;
  isBinary?: true;
  /** How many parts of a patch are about it. */
  sections: number;
  /** Git can be asked for it by its name. */
  readonly isNameable: boolean;
}

/** The words for git's letters. */
export const CHANGE_NAMES: Readonly<Record<string, string>> = {
  A: "added",
  C: "copied",
  D: "deleted",
  M: "modified",
  R: "renamed",
  T: "type_changed",
  U: "unmerged",
};

interface Waiting {
  readonly count: number;
  readonly names: Buffer[];
  take(names: readonly Buffer[]): void;
}

/** Reads the records of `--raw --numstat -z`. Only the first files are kept; all are counted. */
export class ChangedFiles {
  readonly files: ChangedFile[] = [];
  total = 0;
  readonly #byName = new Map<string, ChangedFile>();
  readonly #most: number;
  readonly #wants: (changed: ChangedFile, at: number) => boolean;
  #waiting: Waiting | undefined;
  #last: string | undefined;

  /** `wants` says whether a file counts, and whether it is kept. */
  constructor(most: number, wants: (changed: ChangedFile, at: number) => boolean = () => true) {
    this.#most = most;
    this.#wants = wants;
  }

  /** Takes a record; false = it is none of these. */
  read(record: Buffer): boolean {
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      waiting.names.push(record);
      if (waiting.names.length === waiting.count) {
        this.#waiting = undefined;
        waiting.take(waiting.names);
      }
      return true;
    }
    // The text of a commit ends with a line break of its own.
    const start = record[0] === 10 ? 1 : 0;
    return record[start] === COLON ? this.#readRaw(record.toString("latin1", start)) : this.#readCounts(record);
  }

  #readRaw(text: string): boolean {
    const [, before, after, letter] = /^:(\d{6}) (\d{6}) \S+ \S+ ([A-Z])\d*$/.exec(text) ?? [];
    if (before === undefined || after === undefined || letter === undefined) return false;
    const count = letter === "R" || letter === "C" ? 2 : 1;
    this.#waiting = {
      count,
      names: [],
      take: ([first = EMPTY, second]) => this.#add(letter, [before, after], second ?? first, second && first),
    };
    return true;
  }

  #readCounts(record: Buffer): boolean {
    const [whole, additions, deletions] = /^(\d+|-)\t(\d+|-)\t/.exec(record.toString("latin1", 0, 40)) ?? [];
    if (whole === undefined || additions === undefined || deletions === undefined) return false;
    const name = record.subarray(whole.length);
    if (name.length > 0) this.#count(name, additions, deletions);
    else {
      this.#waiting = { count: 2, names: [], take: ([, to = EMPTY]) => this.#count(to, additions, deletions) };
    }
    return true;
  }

  #add(letter: string, modes: readonly [string, string], to: Buffer, from: Buffer | undefined): void {
    const name = toName(to);
    const known = this.#byName.get(name);
    // A file in conflict is told of twice: as one, and as what it has become.
    if (this.#last === name) {
      if (known !== undefined) known.sections = 1;
      return;
    }
    this.#last = name;
    const changed: ChangedFile = {
      letter,
      name,
      from: from && toName(from),
      modes,
      // What has become something else is told as two: one goes, one comes.
      sections: letter === "U" ? 0 : letter === "T" ? 2 : 1,
      isNameable: isUtf8(to) && (from === undefined || isUtf8(from)),
    };
    if (!this.#wants(changed, this.total)) return;
    this.total += 1;
    if (this.files.length >= this.#most) return;
    this.files.push(changed);
    this.#byName.set(name, changed);
  }

  #count(name: Buffer, additions: string, deletions: string): void {
    const changed = this.#byName.get(toName(name));
    if (changed === undefined) return;
    if (additions === "-") changed.isBinary = true;
    else {
      changed.additions = Number(additions);
      changed.deletions = Number(deletions);
    }
  }
}

const COLON = 58;
const EMPTY = Buffer.alloc(0);
