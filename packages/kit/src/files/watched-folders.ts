import { isDeepStrictEqual } from "node:util";
import { FolderWatch } from "./folder-watch.js";

/** What is read from folders, and how changes of it are reported. */
export interface WatchedContent<Content> {
  /** The folders of the user. While one of them does not exist, no event tells when it is back, so each `current()` reads again. */
  readonly roots: readonly string[];
  /** Reads the content, and returns all folders that it depends on. */
  read(): Promise<{ readonly content: Content; readonly folders: readonly string[] }>;
  /** Called after the first read (`before` is undefined) and after each change. */
  onRead(now: Content, before: Content | undefined): void | Promise<void>;
}

/** The content of a user's folders: read once, and again whenever something in them changes. */
export class WatchedFolders<Content> {
  readonly #source: WatchedContent<Content>;
  readonly #watch = new FolderWatch(() => void this.#refresh());
  #current: Promise<Content>;
  #last: Promise<void>;
  #isRootMissing = false;
  #isClosed = false;

  constructor(source: WatchedContent<Content>) {
    this.#source = source;
    this.#current = this.#read();
    this.#last = this.#current.then((now) => source.onRead(now, undefined));
  }

  async current(): Promise<Content> {
    if (this.#isRootMissing && !this.#isClosed) await this.#refresh();
    return this.#current;
  }

  close(): void {
    this.#isClosed = true;
    this.#watch.close();
  }

  /** Reads until all folders are watched, so that no change is missed. */
  async #read(): Promise<Content> {
    for (;;) {
      const { content, folders } = await this.#source.read();
      if (this.#watch.cover(folders)) continue;
      this.#isRootMissing = this.#source.roots.some((root) => !this.#watch.has(root));
      return content;
    }
  }

  #refresh(): Promise<void> {
    this.#last = this.#last.then(() => this.#reload());
    return this.#last;
  }

  async #reload(): Promise<void> {
    const before = await this.#current;
    this.#watch.drop();
    const now = await this.#read();
    if (this.#isClosed || isDeepStrictEqual(before, now)) return;
    this.#current = Promise.resolve(now);
    await this.#source.onRead(now, before);
  }
}
