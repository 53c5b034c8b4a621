import path from "node:path";
import type { Call, PackHost } from "@toolwright/engine";
import { type FileAccess, lazyFileAccess } from "@toolwright/kit/files";
import { isDatabaseUrl, type SqlStore } from "@toolwright/kit/storage";
import type { Settings } from "./settings.js";
import type { Attribution } from "./store/change-set.js";
import { plainText } from "./tasks/task-changes.js";

/** What every tool, the command line and the dashboard work with. */
export class TodoContext {
  readonly settings: Settings;
  readonly host: Pick<PackHost, "log">;
  readonly #file: string;
  readonly #now: () => Date;
  readonly #openReach: (call: Pick<Call, "signal" | "supports" | "roots">) => Promise<FileAccess>;
  readonly #whenOpened: (store: SqlStore) => Promise<void>;
  #store: Promise<SqlStore> | undefined;

  constructor(parts: {
    readonly settings: Settings;
    readonly host: Pick<PackHost, "log">;
    /** The SQLite file that is used where the settings name no database. */
    readonly file: string;
    readonly now: () => Date;
    readonly reach: (call: Pick<Call, "signal" | "supports" | "roots">) => Promise<FileAccess>;
    /** Comes before all else that is done with the database. */
    readonly whenOpened?: ((store: SqlStore) => Promise<void>) | undefined;
  }) {
    this.settings = parts.settings;
    this.host = parts.host;
    this.#file = parts.file;
    this.#now = parts.now;
    this.#openReach = parts.reach;
    this.#whenOpened = parts.whenOpened ?? (async () => undefined);
  }

  /** The database, opened when it is first needed. Where that fails, the next one tries again. */
  store(): Promise<SqlStore> {
    this.#store ??= this.#open().catch((error: unknown) => {
      this.#store = undefined;
      throw error;
    });
    return this.#store;
  }

  /** The same, as the dashboard calls it. */
  ledger(): Promise<SqlStore> {
    return this.store();
  }

  /** What a call can reach of the file system, for done-conditions. */
  reach(call: Pick<Call, "signal" | "supports" | "roots">): Promise<FileAccess> {
    return this.#openReach(call);
  }

  /** Whether other machines may use the database: on those a project lies in another folder. */
  get isShared(): boolean {
    return isDatabaseUrl(this.settings.database ?? "");
  }

  now(): string {
    return this.#now().toISOString();
  }

  /** Who does something now: the one who is named, or else the one of the settings. */
  attribution(named: string | undefined, why?: string): Attribution {
    const actor = named ?? this.settings.actor;
    return {
      actor: actor === undefined ? null : plainText("actor", actor),
      at: this.now(),
      reason: why === undefined ? null : plainText("reason", why),
    };
  }

  async close(): Promise<void> {
    const opened = this.#store;
    this.#store = undefined;
    await (await opened?.catch(() => undefined))?.close();
  }

  async #open(): Promise<SqlStore> {
    const [{ openSqlStore }, { TODO_STORE }] = await Promise.all([
      import("@toolwright/kit/storage/sql/open-sql-store.js"),
      import("./store/schema.js"),
    ]);
    const store = await openSqlStore(this.settings.database ?? this.#file, TODO_STORE);
    await this.#whenOpened(store);
    return store;
  }
}

/** Opens what the tools, the command line and the dashboard work with; the database itself when it is first needed. */
export function openTodoContext(
  settings: Settings,
  state: string,
  host: Pick<PackHost, "log">,
  now = () => new Date(),
  whenOpened?: (store: SqlStore) => Promise<void>,
): TodoContext {
  return new TodoContext({
    settings,
    host,
    file: path.join(state, "todo.db"),
    now,
    whenOpened,
    reach: lazyFileAccess(settings, [state]),
  });
}
