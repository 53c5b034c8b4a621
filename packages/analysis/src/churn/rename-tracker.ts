import { ADDED, type Change, RENAMED } from "./git-log.js";

/** The history of one file under all its names. */
export interface FileRecord {
  /** Its newest name, as bytes in latin1. */
  readonly name: string;
  readonly isInside: boolean;
  /** The file that this record turned out to be an earlier name of. */
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
 * Tells which file a name stands for, while a history is read from the newest commit to the oldest. A file that was deleted and created
 * again under its name is one file, also if the new one was moved there. A copy is a new file.
 */
export class RenameTracker {
  readonly #tracked: ReadonlySet<string>;
  readonly #isInside: (name: string) => boolean;
  readonly #byName = new Map<string, FileRecord>();
  /** Names that a file got in a newer commit: in older commits they belong to another file. */
  readonly #created = new Set<string>();
  readonly #records: FileRecord[] = [];

  constructor(tracked: ReadonlySet<string>, isInside: (name: string) => boolean) {
    this.#tracked = tracked;
    this.#isInside = isInside;
  }

  /** How many names are known. */
  get size(): number {
    return this.#byName.size;
  }

  /** Every file, each once. */
  get files(): readonly FileRecord[] {
    return this.#records.filter(({ into }) => into === undefined);
  }

  /** The file of a record, by the index of the record. */
  at(index: number): FileRecord {
    return newest(this.#records[index] as FileRecord);
  }

  /** The position in a list of each record's file, by the index of the record; -1 = not in the list. */
  positionsIn(files: readonly FileRecord[]): Int32Array {
    const positions = new Map(files.map((file, at) => [file, at]));
    return Int32Array.from(this.#records, (record) => positions.get(newest(record)) ?? -1);
  }

  /** The file that a change is about. */
  fileOf({ name }: Change): FileRecord {
    const known = this.#byName.get(name);
    if (known !== undefined) return newest(known);
    const created = createRecord(name, this.#isInside(name), this.#records.length);
    this.#records.push(created);
    this.#byName.set(name, created);
    return created;
  }

  /** Records what a change means for older commits. */
  follow(change: Change, file: FileRecord): void {
    const { letter, name, from } = change;
    if (letter === ADDED || letter === RENAMED) this.#created.add(name);
    if (letter !== RENAMED || from === undefined) return;
    const known = this.#byName.get(from);
    const other = known && newest(known);
    if (other === file) return;
    // Another branch continued under the old name, and git merged that work into the new one.
    if (other !== undefined && !this.#tracked.has(other.name) && !this.#created.has(from)) absorb(file, other);
    file.earlier.push(from);
    this.#byName.set(from, file);
  }
}

function newest(record: FileRecord): FileRecord {
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
  for (const [name, { commits, lines }] of other.authors) addAuthor(file, name, commits, lines);
}

/** Adds to the commits and lines of an author. */
export function addAuthor({ authors }: FileRecord, name: string, commits: number, lines: number): void {
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
