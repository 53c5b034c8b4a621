/** The size of the entries of one result in JSON: a server truncates results above 64 KiB. */
const PAGE_BYTES = 32 * 1024;

/** Limits the size of a result. */
export class PageBudget {
  #left: number;

  constructor(bytes: number = PAGE_BYTES) {
    this.#left = bytes;
  }

  /** Reserves the size of a value in JSON; false if there is not enough left. */
  take(value: unknown): boolean {
    const bytes = Buffer.byteLength(JSON.stringify(value)) + 1;
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

/** Those of many entries that one result has, from an offset on, as many as there is room for. */
export class Page<Entry> {
  readonly entries: Entry[] = [];
  /** How many there are in all, as far as they have been seen. */
  total = 0;
  readonly #offset: number;
  readonly #limit: number;
  readonly #room: PageBudget;
  #isFull = false;

  constructor(offset: number, limit: number, room: PageBudget = new PageBudget()) {
    this.#offset = offset;
    this.#limit = limit;
    this.#room = room;
  }

  /** Whether the next entry can be on this page; otherwise it need not be created. */
  get isOpen(): boolean {
    return !this.#isFull && this.total >= this.#offset;
  }

  /** Counts an entry that is not on this page. */
  pass(): void {
    this.total += 1;
  }

  /** Adds the next entry. False = the page is full. */
  add(entry: Entry): boolean {
    this.total += 1;
    if (this.total <= this.#offset) return true;
    this.#isFull ||= this.entries.length >= this.#limit || !this.#room.take(entry);
    if (!this.#isFull) this.entries.push(entry);
    return !this.#isFull;
  }

  /** The offset of the next page; undefined where this was the last. */
  get next(): number | undefined {
    const after = this.#offset + this.entries.length;
    // An entry that is too large for any page is skipped, or paging would stop at it.
    if (this.#isFull && this.entries.length === 0) return after + 1;
    return this.#isFull ? after : undefined;
  }
}

/** A text of limited length, with a note on the missing part. */
export const shorten = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}… (${text.length - most} more characters)` : text;
