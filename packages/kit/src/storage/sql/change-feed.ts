import type { Sql, SqlStore } from "./sql.js";

/** Which changes a feed reports, and to whom. */
export interface ChangeFeedOptions<Changes> {
  /** The table of changes, with their growing numbers `seq`. */
  readonly table: string;
  /** Reads the changes after a number. */
  readonly read: (sql: Sql, seen: number) => Promise<Changes>;
  readonly onChanges: (changes: Changes) => void;
  readonly onError: (error: unknown) => void;
}

/** Follows the changes of a store, whichever process makes them. Each is reported once, in order. */
export class ChangeFeed<Changes extends { readonly seq: number }> {
  readonly #options: ChangeFeedOptions<Changes>;
  #seen = 0;
  #unwatch: (() => void) | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(options: ChangeFeedOptions<Changes>) {
    this.#options = options;
  }

  /** Starts with the next change. */
  async start(store: SqlStore): Promise<void> {
    await this.stop();
    const row = await store.read((sql) => sql.get(`SELECT max(seq) AS seq FROM ${this.#options.table}`));
    this.#seen = Number(row?.["seq"] ?? 0);
    this.#unwatch = store.watch(() => {
      // One at a time, so that no change is reported twice.
      this.#last = this.#last.then(() => this.#report(store)).catch((error: unknown) => this.#options.onError(error));
    });
  }

  /** Stops. Resolves when nothing reads the database any more. */
  async stop(): Promise<void> {
    this.#unwatch?.();
    this.#unwatch = undefined;
    await this.#last;
  }

  async #report(store: SqlStore): Promise<void> {
    if (this.#unwatch === undefined) return;
    const changes = await store.read((sql) => this.#options.read(sql, this.#seen));
    if (changes.seq <= this.#seen) return;
    this.#seen = changes.seq;
    this.#options.onChanges(changes);
  }
}
