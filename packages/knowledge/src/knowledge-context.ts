import path from "node:path";
import type { Call, PackHost } from "@toolwright/engine";
import { type FileAccess, lazyFileAccess } from "@toolwright/kit/files";
import type { SqlStore } from "@toolwright/kit/storage";
import type { Embedder, EndpointUnavailable } from "./embedders/embedder.js";
import type { EmbedderSettings } from "./embedders/settings.js";
import type { Settings } from "./settings.js";

/** What the base needs of a call to reach files. */
export type Caller = Pick<Call, "signal" | "supports" | "roots">;

/** By what their vectors are recorded as, the embedders that need no more than a word to be opened. */
const BUILT_IN_EMBEDDERS: Readonly<Record<string, "static" | "minilm">> = {
  "static-en-2": "static",
  "all-MiniLM-L6-v2-q8": "minilm",
};

/** For how long an endpoint that was found to be down is not asked by those who cannot wait. */
const UNAVAILABLE_MS = 15_000;

/** What every tool, the command line and the dashboard work with. */
export class KnowledgeContext {
  readonly settings: Settings;
  /** The folder in which the server keeps things. */
  readonly state: string;
  readonly host: Pick<PackHost, "log">;
  readonly #file: string;
  readonly #now: () => Date;
  readonly #openReach: (call: Caller) => Promise<FileAccess>;
  readonly #whenOpened: (store: SqlStore) => Promise<void>;
  #store: Promise<SqlStore> | undefined;
  readonly #embedders = new Map<string, Promise<Embedder>>();
  #unavailable: { readonly error: EndpointUnavailable; readonly until: number } | undefined;

  constructor(parts: {
    readonly settings: Settings;
    readonly state: string;
    readonly host: Pick<PackHost, "log">;
    /** The SQLite file that is used where the settings name no database. */
    readonly file: string;
    readonly now: () => Date;
    readonly access: (call: Caller) => Promise<FileAccess>;
    /** Comes before all else that is done with the database. */
    readonly whenOpened?: ((store: SqlStore) => Promise<void>) | undefined;
  }) {
    this.settings = parts.settings;
    this.state = parts.state;
    this.host = parts.host;
    this.#file = parts.file;
    this.#now = parts.now;
    this.#openReach = parts.access;
    this.#whenOpened = parts.whenOpened ?? (async () => undefined);
  }

  /** Where the knowledge base is: a file, or a URL. */
  get database(): string {
    return this.settings.database ?? this.#file;
  }

  /** The database, opened when it is first needed. Where that fails, the next one tries again. */
  store(): Promise<SqlStore> {
    this.#store ??= this.#open().catch((error: unknown) => {
      this.#store = undefined;
      throw error;
    });
    return this.#store;
  }

  /** The same as `store`, for the change feed of the dashboard. */
  ledger(): Promise<SqlStore> {
    return this.store();
  }

  /**
   * What makes vectors, opened when it is first needed: the one of the settings, or where `made` names another one of ours, such as
   * that of an older version, that one. Where that fails, the next one tries again; where it `isUrgent`, an endpoint is asked once, and
   * not at all for some seconds after it was found to be down.
   */
  async embedder(made?: string, isUrgent = false): Promise<Embedder> {
    const { embedder: settings } = this.settings;
    const own = made === undefined ? undefined : BUILT_IN_EMBEDDERS[made];
    if (own !== undefined && isEndpoint(settings)) return this.#openEmbedder(own);
    if (isUrgent && this.#unavailable !== undefined && this.#unavailable.until > this.#now().getTime())
      throw this.#unavailable.error;
    const configured = this.#openEmbedder(settings, isUrgent);
    if (own === undefined || (await configured.catch(() => undefined))?.name === made) return configured;
    return this.#openEmbedder(own);
  }

  /** Remembers for some seconds that the endpoint does not answer. */
  noteUnavailable(error: EndpointUnavailable): void {
    // One that was remembered is not a failure anew.
    if (error !== this.#unavailable?.error)
      this.#unavailable = { error, until: this.#now().getTime() + UNAVAILABLE_MS };
  }

  /** What a call can reach of the file system. */
  fileAccess(call: Caller): Promise<FileAccess> {
    return this.#openReach(call);
  }

  now(): string {
    return this.#now().toISOString();
  }

  async close(): Promise<void> {
    const [store, embedders] = [this.#store, [...this.#embedders.values()]];
    this.#store = undefined;
    this.#embedders.clear();
    for (const embedder of embedders) await (await embedder.catch(() => undefined))?.close();
    await (await store?.catch(() => undefined))?.close();
  }

  async #open(): Promise<SqlStore> {
    const [{ openSqlStore }, { KNOWLEDGE_STORE }] = await Promise.all([
      import("@toolwright/kit/storage/sql/open-sql-store.js"),
      import("./store/knowledge-store.js"),
    ]);
    const store = await openSqlStore(this.database, KNOWLEDGE_STORE);
    await this.#whenOpened(store);
    return store;
  }

  #openEmbedder(settings: EmbedderSettings, isUrgent = false): Promise<Embedder> {
    // Who can wait does not share the failure of who cannot; an endpoint takes no memory.
    const named = isUrgent && isEndpoint(settings) ? "urgent" : "named";
    const key = typeof settings === "string" ? settings : named;
    const existing = this.#embedders.get(key);
    if (existing !== undefined) return existing;
    const opened = import("./embedders/open-embedder.js")
      .then(({ openEmbedder }) => openEmbedder(settings, this.state, undefined, isUrgent))
      .catch((error: unknown) => {
        this.#embedders.delete(key);
        throw error;
      });
    this.#embedders.set(key, opened);
    return opened;
  }
}

const isEndpoint = (settings: EmbedderSettings): boolean => typeof settings !== "string" && settings.kind !== "onnx";

/** Opens what the tools, the command line and the dashboard work with; the database itself when it is first needed. */
export function openKnowledge(
  settings: Settings,
  state: string,
  host: Pick<PackHost, "log">,
  now = () => new Date(),
  whenOpened?: (store: SqlStore) => Promise<void>,
  configuration?: string,
): KnowledgeContext {
  return new KnowledgeContext({
    settings,
    state,
    host,
    file: path.join(state, "knowledge.db"),
    now,
    whenOpened,
    access: lazyFileAccess(settings, [state], configuration),
  });
}
