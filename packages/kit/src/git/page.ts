/** How many bytes of JSON the entries of one result may have: a server cuts results above 64 KiB. */
const PAGE_BYTES = 32 * 1024;

/** Keeps a result within its size. */
export class PageBudget {
  #left: number;

  constructor(bytes: number = PAGE_BYTES) {
    this.#left = bytes;
  }

  /** Takes the room that a value needs as JSON; false where there is not enough, and then none is taken. */
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

  /** Whether the next entry could come onto this page; else it need not be made, and is only passed by. */
  get isOpen(): boolean {
    return !this.#isFull && this.total >= this.#offset;
  }

  /** Counts an entry that is not on this page. */
  pass(): void {
    this.total += 1;
  }

  /** Hears of the next entry. False = there was no place for it. */
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
    // An entry that is too large for any page is passed over, or there would be no way past it.
    if (this.#isFull && this.entries.length === 0) return after + 1;
    return this.#isFull ? after : undefined;
  }
}

/** Text of a bounded length, with a word on what is missing. */
export const shorten = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}… (${text.length - most} more characters)` : text;
