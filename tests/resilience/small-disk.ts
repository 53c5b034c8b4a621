import { closeSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import path from "node:path";

/** A disk of its own with little room, which can be filled to the last byte. */
export class SmallDisk {
  readonly #filler: string;
  #isFull = false;
  /** When it had room again: what fails a moment later may still have failed because of it. */
  #freedAt = Number.NEGATIVE_INFINITY;

  constructor(folder: string) {
    this.#filler = path.join(folder, "filler");
  }

  /** Whether it is full, or was a moment ago. */
  get isFull(): boolean {
    return this.#isFull || performance.now() - this.#freedAt < 1000;
  }

  fill(): void {
    this.#isFull = true;
    const file = openSync(this.#filler, "a");
    try {
      for (let size = 1 << 20; size >= 1; ) {
        try {
          writeSync(file, Buffer.alloc(size));
        } catch {
          size >>= 1;
        }
      }
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    if (!this.#isFull) return;
    rmSync(this.#filler, { force: true });
    this.#isFull = false;
    this.#freedAt = performance.now();
  }

  /** Its size in bytes. */
  static sizeOf(folder: string): number {
    const { blocks, bsize } = statfsSync(folder);
    return blocks * bsize;
  }
}
