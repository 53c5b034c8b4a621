import type { Stats } from "node:fs";
import { FileScan, type Reading } from "./file-scan.js";
import type { Encoding } from "./text.js";

/** How many files are remembered. */
const MOST = 32;

/** A file that was changed more recently could change again without a later time being noted. */
const SETTLED_MS = 2000;

/** Remembers what was found out about files that were read, so that the next page of one costs no more than itself. */
export class FileScans {
  readonly #scans = new Map<string, FileScan>();

  /** What is known of a file as it is now. */
  async of(file: Reading, stats: Stats, encoding?: Encoding): Promise<FileScan> {
    const { dev, ino, size, mtimeMs, ctimeMs } = stats;
    const key = [dev, ino, size, mtimeMs, ctimeMs, encoding].join(" ");
    const scan = this.#scans.get(key) ?? (await FileScan.open(file, encoding));
    this.#scans.delete(key);
    if (Date.now() - Math.max(mtimeMs, ctimeMs) < SETTLED_MS) return scan;
    this.#scans.set(key, scan);
    const [oldest] = this.#scans.keys();
    if (this.#scans.size > MOST && oldest !== undefined) this.#scans.delete(oldest);
    return scan;
  }
}
