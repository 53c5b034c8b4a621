import path from "node:path";
import type { CommandHost } from "@toolwright/kit/pack";
import { isDatabaseUrl, type SqlStore } from "@toolwright/kit/storage";
import type { Settings } from "./settings.js";
import type { Attribution } from "./store/change-set.js";
import { validateText } from "./tasks/task-changes.js";

/** What tools, commands and dashboard pages work with: the settings, the database and the file policy. */
export class TodoContext {
  readonly settings: Settings;
  readonly host: CommandHost;
  readonly #onOpen: (store: SqlStore) => Promise<void>;
  #store: Promise<SqlStore> | undefined;

  constructor(
    settings: Settings,
    host: CommandHost,
    /** Runs once when the database is open, before anything else uses it. */
    onOpen: (store: SqlStore) => Promise<void> = async () => undefined,
  ) {
    this.settings = settings;
    this.host = host;
    this.#onOpen = onOpen;
  }

  /** The database. It is opened on first use; after a failure the next use tries again. */
  store(): Promise<SqlStore> {
    this.#store ??= this.#open().catch((error: unknown) => {
      this.#store = undefined;
      throw error;
    });
    return this.#store;
  }

  /** Whether other machines may use the database. A project lies in another folder on each of them. */
  get isShared(): boolean {
    return isDatabaseUrl(this.settings.database ?? "");
  }

  /** The current time, in ISO 8601 with milliseconds. */
  now(): string {
    return this.host.now().toISOString();
  }

  /** Who changes something now and why. The actor of the settings is used if none is named. */
  attribution(actor = this.settings.actor, reason?: string): Attribution {
    return {
      actor: actor === undefined ? null : validateText("actor", actor),
      at: this.now(),
      reason: reason === undefined ? null : validateText("reason", reason),
    };
  }

  async close(): Promise<void> {
    const opened = this.#store;
    this.#store = undefined;
    await (await opened?.catch(() => undefined))?.close();
  }

  async #open(): Promise<SqlStore> {
    const [{ openSqlStore }, { TODO_STORE }] = await Promise.all([
      import("@toolwright/kit/storage/sql/sql.js"),
      import("./store/schema.js"),
    ]);
    const store = await openSqlStore(this.settings.database ?? path.join(this.host.stateFolder, "todo.db"), TODO_STORE);
    await this.#onOpen(store);
    return store;
  }
}
