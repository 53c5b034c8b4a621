import type { Call, PackHost } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import { isDatabaseUrl, type SqlStore } from "@toolwright/kit/storage";
import type { Settings } from "./settings.js";
import type { Doer } from "./store/deed.js";
import { plainText } from "./tasks/plain-text.js";

/** What every tool, the command line and the dashboard work with. */
export class Desk {
  readonly settings: Settings;
  readonly host: Pick<PackHost, "log">;
  readonly #file: string;
  readonly #now: () => Date;
  readonly #openReach: (call: Pick<Call, "signal" | "supports" | "roots">) => Promise<FileAccess>;
  readonly #whenOpened: (ledger: SqlStore) => Promise<void>;
  #ledger: Promise<SqlStore> | undefined;

  constructor(parts: {
    readonly settings: Settings;
    readonly host: Pick<PackHost, "log">;
    /** The SQLite file that is used where the settings name no database. */
    readonly file: string;
    readonly now: () => Date;
    readonly reach: (call: Pick<Call, "signal" | "supports" | "roots">) => Promise<FileAccess>;
    /** Comes before all else that is done with the database. */
    readonly whenOpened?: ((ledger: SqlStore) => Promise<void>) | undefined;
  }) {
    this.settings = parts.settings;
    this.host = parts.host;
    this.#file = parts.file;
    this.#now = parts.now;
    this.#openReach = parts.reach;
    this.#whenOpened = parts.whenOpened ?? (async () => undefined);
  }

  /** The database, opened when it is first needed. Where that fails, the next one tries again. */
  ledger(): Promise<SqlStore> {
    this.#ledger ??= this.#open().catch((error: unknown) => {
      this.#ledger = undefined;
      throw error;
    });
    return this.#ledger;
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
  doer(named: string | undefined, why?: string): Doer {
    const actor = named ?? this.settings.actor;
    return {
      actor: actor === undefined ? null : plainText("actor", actor),
      at: this.now(),
      reason: why === undefined ? null : plainText("reason", why),
    };
  }

  async close(): Promise<void> {
    const opened = this.#ledger;
    this.#ledger = undefined;
    await (await opened?.catch(() => undefined))?.close();
  }

  async #open(): Promise<SqlStore> {
    const [{ openSqlStore }, { TODO_LEDGER }] = await Promise.all([
      import("@toolwright/kit/storage/sql/open-sql-store.js"),
      import("./store/todo-ledger.js"),
    ]);
    const ledger = await openSqlStore(this.settings.database ?? this.#file, TODO_LEDGER);
    await this.#whenOpened(ledger);
    return ledger;
  }
}
