import { ADDED, type Change, RENAMED } from "./git-log.js";

/** What is known of one file over all its names. */
export interface FileRecord {
  /** Its newest name, as bytes in latin1. */
  readonly name: string;
  readonly isInside: boolean;
  /** Set once it turns out to be an earlier name of another file. */
  into: FileRecord | undefined;
  readonly earlier: string[];
  commits: number;
  additions: number;
  deletions: number;
  /** Seconds. */
  first: number;
  last: number;
  /** Commits and changed lines of each author. */
  readonly authors: Map<string, { commits: number; lines: number }>;
  /** The number of the commit that was counted last. */
  seen: number;
  readonly index: number;
}

/**
 * Knows which file a name stood for, while a history is read from the newest commit to the oldest. A file that was deleted and made
 * anew under its name is one file, also where the new one was moved there; a copy is a new file.
 */
export class Lineage {
  readonly #tracked: ReadonlySet<string>;
  readonly #isInside: (name: string) => boolean;
  readonly #bound = new Map<string, FileRecord>();
  /** Names that a file has got since, so that it is another one that had them before. */
  readonly #begun = new Set<string>();
  readonly #records: FileRecord[] = [];

  constructor(tracked: ReadonlySet<string>, isInside: (name: string) => boolean) {
    this.#tracked = tracked;
    this.#isInside = isInside;
  }

  /** How many names are known. */
  get size(): number {
    return this.#bound.size;
  }

  /** Every file that was seen, each once. */
  get files(): readonly FileRecord[] {
    return this.#records.filter(({ into }) => into === undefined);
  }

  /** The file that a record turned out to be of, by the record's index. */
  at(index: number): FileRecord {
    return last(this.#records[index] as FileRecord);
  }

  /** The place in a list of each record's file, by the record's index; -1 where it is not in it. */
  placesIn(files: readonly FileRecord[]): Int32Array {
    const known = new Map(files.map((file, at) => [file, at]));
    return Int32Array.from(this.#records, (record) => known.get(last(record)) ?? -1);
  }

  /** The file that a change is about. */
  fileOf({ name }: Change): FileRecord {
    const known = this.#bound.get(name);
    if (known !== undefined) return last(known);
    const made = createRecord(name, this.#isInside(name), this.#records.length);
    this.#records.push(made);
    this.#bound.set(name, made);
    return made;
  }

  /** Notes what a change says of the time before it. */
  goBack(change: Change, file: FileRecord): void {
    const { letter, name, from } = change;
    if (letter === ADDED || letter === RENAMED) this.#begun.add(name);
    if (letter !== RENAMED || from === undefined) return;
    const known = this.#bound.get(from);
    const other = known && last(known);
    if (other === file) return;
    // Work on another branch went on under the old name; git has put it into the new one when they were merged.
    if (other !== undefined && !this.#tracked.has(other.name) && !this.#begun.has(from)) absorb(file, other);
    file.earlier.push(from);
    this.#bound.set(from, file);
  }
}

function last(record: FileRecord): FileRecord {
  let found = record;
  while (found.into !== undefined) found = found.into;
  return found;
}

function absorb(file: FileRecord, other: FileRecord): void {
  other.into = file;
  file.commits += other.commits;
  file.additions += other.additions;
  file.deletions += other.deletions;
  file.first = Math.min(file.first, other.first);
  file.last = Math.max(file.last, other.last);
  file.earlier.push(...other.earlier);
  for (const [name, { commits, lines }] of other.authors) addTo(file, name, commits, lines);
}

/** Adds to what an author did to a file. */
export function addTo({ authors }: FileRecord, name: string, commits: number, lines: number): void {
  const known = authors.get(name);
  if (known === undefined) authors.set(name, { commits, lines });
  else {
    known.commits += commits;
    known.lines += lines;
  }
}

const createRecord = (name: string, isInside: boolean, index: number): FileRecord => ({
  name,
  isInside,
  into: undefined,
  earlier: [],
  commits: 0,
  additions: 0,
  deletions: 0,
  first: Number.POSITIVE_INFINITY,
  last: 0,
  authors: new Map(),
  seen: -1,
  index,
});
