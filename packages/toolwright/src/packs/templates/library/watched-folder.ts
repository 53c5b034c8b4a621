import { type FSWatcher, watch } from "node:fs";
import type { Renderer } from "../rendering/render.js";
import { uriOf } from "../template-uri.js";
import type { FolderFault, UserTemplates } from "./library.js";
import { type ReadFolder, readFolder } from "./read-folder.js";

/** Who hears of changes of the directory. */
export interface FolderListener {
  /** Other templates are there than before, or their descriptions differ. */
  listChanged(): void;
  /** A template has another content. */
  templateChanged(uri: string): void;
  /** Something that is no template is there, and was not before. */
  faultFound(fault: FolderFault): void;
}

/** Editors write in several steps; a look between two of them would show half of it. */
const PAUSE_MS = 30;

/** The user's templates as they are now: read once, and anew whenever something in the directory changes. */
export class WatchedFolder {
  readonly #directory: string;
  readonly #renderer: Renderer;
  readonly #listener: FolderListener;
  readonly #watchers = new Map<string, FSWatcher>();
  #current: Promise<ReadFolder>;
  #turn: Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  /** Whether the directory itself is not watched: it has gone, and nobody will tell when it comes back. */
  #isLost = false;
  #isClosed = false;

  constructor(directory: string, renderer: Renderer, listener: FolderListener) {
    this.#directory = directory;
    this.#renderer = renderer;
    this.#listener = listener;
    this.#current = this.#read();
    this.#turn = this.#current.then(({ faults }) => this.#tellFaults(faults, []));
  }

  /** What is there at the moment. */
  async templates(): Promise<UserTemplates> {
    if (this.#isLost && !this.#isClosed) await this.#lookAgain();
    return this.#current;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#unwatchAll();
  }

  #unwatchAll(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** What came into a folder before it was watched is seen by the look after that. */
  async #read(): Promise<ReadFolder> {
    for (;;) {
      const found = await readFolder(this.#directory, this.#renderer);
      if (!this.#isClosed && this.#watchAll(found.folders)) continue;
      this.#isLost = !this.#watchers.has(this.#directory);
      return found;
    }
  }

  /** Says whether a folder is watched that was not before. */
  #watchAll(folders: readonly string[]): boolean {
    for (const [folder, watcher] of this.#watchers)
      if (!folders.includes(folder)) {
        watcher.close();
        this.#watchers.delete(folder);
      }
    let isMore = false;
    for (const folder of folders) if (!this.#watchers.has(folder)) isMore = this.#watch(folder) || isMore;
    return isMore;
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
    this.#timer = setTimeout(() => void this.#lookAgain(), PAUSE_MS).unref();
  }

  #lookAgain(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#reload());
    return this.#turn;
  }

  async #reload(): Promise<void> {
    const before = await this.#current;
    // A folder that was replaced has the path of the old one, and the watcher of the old one is dead.
    this.#unwatchAll();
    const now = await this.#read();
    if (this.#isClosed) return;
    if (JSON.stringify(before) === JSON.stringify(now)) return;
    this.#current = Promise.resolve(now);
    this.#tellFaults(now.faults, before.faults);
    const bodies = new Map(before.templates.map((template) => [uriOf(template), template.body]));
    for (const template of now.templates) {
      const old = bodies.get(uriOf(template));
      if (old !== undefined && old !== template.body) this.#listener.templateChanged(uriOf(template));
    }
    if (listed(before) !== listed(now)) this.#listener.listChanged();
  }

  #tellFaults(now: readonly FolderFault[], before: readonly FolderFault[]): void {
    const known = new Set(before.map(({ path, message }) => `${path}\n${message}`));
    for (const fault of now) if (!known.has(`${fault.path}\n${fault.message}`)) this.#listener.faultFound(fault);
  }
}

/** What a list shows of them. */
const listed = ({ templates }: UserTemplates): string =>
  JSON.stringify(templates.map((template) => ({ ...template, body: "" })));
