import { isUtf8 } from "node:buffer";

/** Separates the records of git with -z. */
export const NUL = 0;

/** Separates lines. */
export const NEWLINE = 10;

/** Cuts what git writes, piece by piece, into records or lines; of a very long one only the head is kept. */
export class Splitter {
  /** The byte that ends a record; it may change between two. */
  separator: number;
  readonly #most: number;
  readonly #take: (record: Buffer, lost: number) => boolean | void;
  #held: Buffer[] = [];
  #bytes = 0;
  #lost = 0;
  #isFull = false;

  /** `take` hears of each record and of how many bytes of it are lost; it returns false when it wants no more. */
  constructor(separator: number, most: number, take: (record: Buffer, lost: number) => boolean | void) {
    this.separator = separator;
    this.#most = most;
    this.#take = take;
  }

  /** Takes the next piece. False = no more is wanted. */
  add(piece: Buffer): boolean {
    let from = 0;
    for (let at = this.#next(piece, from); at !== -1; at = this.#next(piece, from)) {
      this.#hold(piece.subarray(from, at));
      this.#give();
      if (this.#isFull) return false;
      from = at + 1;
    }
    this.#hold(piece.subarray(from));
    return !this.#isFull;
  }

  /** Gives what came after the last separator. */
  end(): void {
    if (!this.#isFull && this.#bytes > 0) this.#give();
  }

  #next(piece: Buffer, from: number): number {
    return piece.indexOf(this.separator, from);
  }

  #hold(part: Buffer): void {
    const room = this.#most - this.#bytes;
    if (part.length > room) this.#lost += part.length - Math.max(room, 0);
    if (room <= 0 || part.length === 0) return;
    // A copy: a small part would keep the whole piece in memory.
    this.#held.push(Buffer.from(part.subarray(0, room)));
    this.#bytes += Math.min(part.length, room);
  }

  #give(): void {
    const [only] = this.#held;
    const record = this.#held.length === 1 && only !== undefined ? only : Buffer.concat(this.#held);
    const lost = this.#lost;
    this.#held = [];
    this.#bytes = 0;
    this.#lost = 0;
    this.#isFull = this.#take(record, lost) === false;
  }
}

/** A name that git gave, as text: bytes that are no UTF-8 stand there as \xNN. */
export function toName(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  return bytes
    .toString("latin1")
    .replaceAll(/[\u0080-\u00ff]/g, (one) => `\\x${one.charCodeAt(0).toString(16).toUpperCase()}`);
}
