import { rmSync } from "node:fs";
import path from "node:path";
import type { PackHost } from "@toolwright/engine";
import { type Database, migrate, openDatabase, toStorageError } from "@toolwright/kit/storage";
import { CACHE_STEPS, CacheTables, type KeptFile, type KeptText } from "./cache-tables.js";

/** How much is written at once: a transaction for each text would take longer than reading it. */
const MOST_WAITING = 200;
const MOST_WAITING_BYTES = 4 * 1024 * 1024;

/** How long others who have the file locked are waited for; a cache is not worth more. */
const PATIENCE_MS = 300;

/**
 * What was told of texts, kept by the hash of their content, and which content the files had. Several processes share it. It never
 * fails: where it cannot be used, nothing is known.
 */
export class Cache {
  readonly #file: string;
  readonly #host: Pick<PackHost, "log">;
  readonly #said = new Set<string>();
  #database: Database | undefined;
  #tables: CacheTables | undefined;
  /** By hash and name, for what waits is known already. */
  #texts = new Map<string, KeptText>();
  #files: KeptFile[] = [];
  #waitingBytes = 0;

  /** `state` is the folder in which it lies. */
  constructor(state: string, host: Pick<PackHost, "log">) {
    this.#file = path.join(state, "facts.db");
    this.#host = host;
  }

  /** Opens it, unless it is open; tries again where that has failed before. */
  async open(): Promise<void> {
    if (this.#tables !== undefined) return;
    for (const isLast of [false, true]) {
      try {
        const database = await openDatabase(this.#file, PATIENCE_MS);
        // Another call may have opened it meanwhile.
        if (this.#tables !== undefined) return database.close();
        this.#database = database;
        migrate(database, CACHE_STEPS);
        this.#tables = new CacheTables(database);
        return;
      } catch (error) {
        if (this.#leave(error) !== "CORRUPT" || isLast) return;
      }
    }
  }

  /** Whether it is worth asking for files: at first nothing is known. */
  knowsFiles(): boolean {
    return this.#attempt((tables) => tables.knowsFiles()) ?? false;
  }

  /** The hash of what a file holds, if it is the same file as when it was read. */
  hashOf(place: string, stamp: string): string | undefined {
    return this.#attempt((tables) => tables.hashOf(place, stamp));
  }

  /** One thing that was told of a text, as JSON. */
  text(hash: string, name: string): string | undefined {
    return this.#texts.get(`${hash} ${name}`)?.value ?? this.#attempt((tables) => tables.text(hash, name));
  }

  keepText(text: KeptText): void {
    if (this.#tables === undefined) return;
    this.#texts.set(`${text.hash} ${text.name}`, text);
    this.#waitingBytes += text.value.length;
    if (this.#texts.size >= MOST_WAITING || this.#waitingBytes >= MOST_WAITING_BYTES) this.flush();
  }

  keepFile(file: KeptFile): void {
    if (this.#tables !== undefined) this.#files.push(file);
  }

  /** Writes what waits to be written. */
  flush(): void {
    const [texts, files] = [[...this.#texts.values()], this.#files];
    this.#texts = new Map();
    this.#files = [];
    this.#waitingBytes = 0;
    this.#attempt((tables) => tables.keep(texts, files));
  }

  close(): void {
    this.flush();
    this.#shut();
  }

  #attempt<Value>(deed: (tables: CacheTables) => Value): Value | undefined {
    const tables = this.#tables;
    if (tables === undefined) return undefined;
    try {
      return deed(tables);
    } catch (error) {
      this.#leave(error);
      return undefined;
    }
  }

  /** Goes on without the file; one that is damaged is thrown away, for all in it can be read again. */
  #leave(error: unknown): string {
    const fault = toStorageError(this.#file, error);
    // Whoever has it locked is writing the same things.
    if (fault.code === "LOCKED" && this.#tables !== undefined) return fault.code;
    this.#shut();
    if (fault.code === "CORRUPT") throwAway(this.#file);
    // A cache is not left as it is, as other stores are that are damaged: what that fault advises does not hold here.
    const entry =
      fault.code === "CORRUPT"
        ? { message: "The cache of analyses was damaged; it is made anew", error: fault.cause }
        : { message: "Cannot use the cache of analyses; every file is read anew", error: fault };
    if (!this.#said.has(fault.code)) this.#host.log({ level: "warning", ...entry });
    this.#said.add(fault.code);
    return fault.code;
  }

  #shut(): void {
    this.#tables = undefined;
    try {
      this.#database?.close();
    } catch {
      // Nothing that is in it is needed.
    }
    this.#database = undefined;
  }
}

function throwAway(file: string): void {
  try {
    for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
  } catch {
    // Then the next one to open it finds it damaged again, and says so.
  }
}
