import { type FSWatcher, watch } from "node:fs";

/** Editors write in several steps; a read between two of them would see half of it. */
const PAUSE_MS = 30;

/** Watches folders, and reports a change soon after it. Never keeps a process alive. */
export class FolderWatch {
  readonly #onChange: () => void;
  readonly #watchers = new Map<string, FSWatcher>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Whether a folder is watched at the moment. */
  has(folder: string): boolean {
    return this.#watchers.has(folder);
  }

  /** Watches these folders and no others; says whether one is watched that was not before. */
  cover(folders: readonly string[]): boolean {
    if (this.#isClosed) return false;
    for (const [folder, watcher] of this.#watchers)
      if (!folders.includes(folder)) {
        watcher.close();
        this.#watchers.delete(folder);
      }
    let isMore = false;
    for (const folder of folders) if (!this.#watchers.has(folder)) isMore = this.#watch(folder) || isMore;
    return isMore;
  }

  /** Watches nothing until `cover` is called: a folder that was replaced has the path of the old one, whose watcher is dead. */
  drop(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.drop();
  }

  #watch(folder: string): boolean {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#changed());
      // A folder that goes ends its watcher, and that is a change.
      watcher.on("error", () => this.#changed());
      this.#watchers.set(folder, watcher);
      return true;
    } catch {
      // It has gone again, or no more can be watched: what it holds was read, and is read again with the next change.
      return false;
    }
  }

  #changed(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onChange, PAUSE_MS).unref();
  }
}
