/** A server that writes a longer line is not listened to any further. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** Cuts bytes into lines, and keeps no more of one than fits. */
export class LineCutter {
  readonly #hear: (line: string) => void;
  #pieces: Buffer[] = [];
  #size = 0;
  #isFull = false;

  constructor(hear: (line: string) => void) {
    this.#hear = hear;
  }

  take(bytes: Buffer): void {
    let rest = bytes;
    for (let at = rest.indexOf(10); at !== -1; at = rest.indexOf(10)) {
      this.#keep(rest.subarray(0, at));
      this.finish();
      rest = rest.subarray(at + 1);
    }
    this.#keep(rest);
  }

  /** What has come is a whole line, though nothing has ended it. */
  finish(): void {
    if (this.#size > 0) this.#hear(Buffer.concat(this.#pieces).toString("utf8"));
    this.#pieces = [];
    this.#size = 0;
    this.#isFull = false;
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0 || this.#isFull) return;
    this.#isFull = this.#size + piece.length > LONGEST_LINE;
    if (this.#isFull) return;
    this.#pieces.push(piece);
    this.#size += piece.length;
  }
}
