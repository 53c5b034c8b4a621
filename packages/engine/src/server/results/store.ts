import { LONGEST_WAIT_MS } from "../limits.js";
import type { Log } from "../log.js";
import { type Body, memoryBody } from "./body.js";
import { ResultFolder } from "./folder.js";
import type { Kept } from "./kept.js";
import { folderName } from "./leftovers.js";
import type { ResultsSettings } from "./options.js";

interface Entry {
  readonly kept: Kept;
  /** Where it is: in memory, or else in a file. */
  buffer: Buffer | undefined;
  file: string | undefined;
}

/** Keeps results for a while, the least recently used of them on disk, within bounds for both. */
export class ResultStore {
  readonly #settings: ResultsSettings;
  readonly #folder: ResultFolder | undefined;
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();
  #memory = 0;
  #disk = 0;
  #last: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(settings: ResultsSettings, log: Log) {
    this.#settings = settings;
    const { directory, ttlMs } = settings;
    this.#folder = directory === undefined ? undefined : new ResultFolder(directory, () => folderName(ttlMs), log);
  }

  /** Tidies up after servers that are gone. */
  async open(): Promise<void> {
    await this.#folder?.clean();
  }

  /** Keeps a result; false where there is no room for it. One after the other, so that the bounds hold at every moment. */
  keep(kept: Kept, buffer: Buffer): Promise<boolean> {
    const added = this.#last.then(() => this.#add(kept, buffer));
    this.#last = added.catch(() => undefined);
    return added;
  }

  /** The result with this id; undefined where it is unknown, expired or somebody else's, which look alike. */
  find(id: string, principal: string | undefined): Kept | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.kept.principal !== principal) return undefined;
    if (entry.kept.expiresAt <= Date.now()) {
      this.#drop(entry);
      return undefined;
    }
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry.kept;
  }

  /** What a result consists of; undefined where it has gone meanwhile. */
  async body({ id, bytes }: Kept): Promise<Body | undefined> {
    const entry = this.#entries.get(id);
    if (entry?.buffer !== undefined) return memoryBody(entry.buffer);
    if (entry?.file === undefined) return undefined;
    return this.#folder?.open(entry.file, bytes);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#entries.clear();
    this.#memory = 0;
    this.#disk = 0;
    await this.#last;
    await this.#folder?.close();
  }

  async #add(kept: Kept, buffer: Buffer): Promise<boolean> {
    if (this.#isClosed) return false;
    this.#dropExpired();
    while (this.#entries.size >= this.#settings.most) this.#drop(this.#oldest());
    const entry: Entry = { kept, buffer: undefined, file: undefined };
    if (kept.bytes > this.#settings.memoryBytes) {
      entry.file = await this.#write(buffer);
      if (entry.file === undefined) return false;
    } else {
      while (this.#memory + kept.bytes > this.#settings.memoryBytes) await this.#spill();
      entry.buffer = buffer;
      this.#memory += kept.bytes;
    }
    if (this.#isClosed) return false;
    this.#entries.set(kept.id, entry);
    this.#arm();
    return true;
  }

  /** Takes the result out of memory that was used least recently: to disk where that can be, or for good. */
  async #spill(): Promise<void> {
    const entry = this.#oldest(({ buffer }) => buffer !== undefined);
    const { buffer, kept } = entry as Entry & { buffer: Buffer };
    const file = await this.#write(buffer);
    if (this.#entries.get(kept.id) !== entry) {
      if (file !== undefined) this.#forgetFile(file, kept.bytes);
      return;
    }
    if (file === undefined) return this.#drop(entry);
    entry.file = file;
    entry.buffer = undefined;
    this.#memory -= kept.bytes;
  }

  async #write(buffer: Buffer): Promise<string | undefined> {
    const { diskBytes } = this.#settings;
    if (this.#folder === undefined || buffer.length > diskBytes) return undefined;
    while (this.#disk + buffer.length > diskBytes) this.#drop(this.#oldest(({ file }) => file !== undefined));
    const file = await this.#folder.write(buffer);
    if (file !== undefined) this.#disk += buffer.length;
    return file;
  }

  #oldest(isMeant: (entry: Entry) => boolean = () => true): Entry {
    for (const entry of this.#entries.values()) if (isMeant(entry)) return entry;
    throw new Error("results are counted that are not there");
  }

  #drop(entry: Entry): void {
    const { kept, buffer, file } = entry;
    if (!this.#entries.delete(kept.id)) return;
    if (buffer !== undefined) this.#memory -= kept.bytes;
    if (file !== undefined) this.#forgetFile(file, kept.bytes);
  }

  #forgetFile(file: string, bytes: number): void {
    this.#disk -= bytes;
    void this.#folder?.remove(file);
  }

  #dropExpired(): void {
    const now = Date.now();
    for (const entry of this.#entries.values()) if (entry.kept.expiresAt <= now) this.#drop(entry);
  }

  /** One timer for all: it goes off when the first of them expires. */
  #arm(): void {
    if (this.#timer !== undefined || this.#entries.size === 0) return;
    let first = Number.POSITIVE_INFINITY;
    for (const { kept } of this.#entries.values()) first = Math.min(first, kept.expiresAt);
    const wait = Math.min(Math.max(first - Date.now(), 0) + 1, LONGEST_WAIT_MS);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#dropExpired();
      this.#arm();
    }, wait);
    this.#timer.unref();
  }
}
