import path from "node:path";
import type { Call } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import type { CommandHost } from "@toolwright/kit/pack";
import type { SqlStore } from "@toolwright/kit/storage";
import type { Embedder, EndpointUnavailable } from "./embedders/embedder.js";
import type { EmbedderSettings } from "./embedders/settings.js";
import type { Settings } from "./settings.js";

/** What file access needs to know about a call. */
export type FileCaller = Pick<Call, "signal" | "supports" | "roots">;

/** The part of the host that the knowledge base uses. */
export type KnowledgeHost = Pick<CommandHost, "stateFolder" | "files" | "now" | "log">;

/** The embedders that need no settings, by the names that versions record. */
const BUILT_IN_EMBEDDERS: Readonly<Record<string, "static" | "minilm">> = {
  "static-en-2": "static",
  "all-MiniLM-L6-v2-q8": "minilm",
};

/** For how long urgent calls skip an endpoint that did not answer. */
const UNAVAILABLE_MS = 15_000;

/** What tools, commands and dashboard pages work with: settings, files, the database and embedders. */
export class KnowledgeContext {
  readonly settings: Settings;
  readonly host: KnowledgeHost;
  readonly #onOpen: ((store: SqlStore) => Promise<void>) | undefined;
  #store: Promise<SqlStore> | undefined;
  readonly #embedders = new Map<string, Promise<Embedder>>();
  #unavailable: { readonly error: EndpointUnavailable; readonly until: number } | undefined;

  /** The database is opened when it is first needed; `onOpen` runs before anything else uses it. */
  constructor(settings: Settings, host: KnowledgeHost, onOpen?: (store: SqlStore) => Promise<void>) {
    this.settings = settings;
    this.host = host;
    this.#onOpen = onOpen;
  }

  /** The database: a file or a URL. */
  get database(): string {
    return this.settings.database ?? path.join(this.host.stateFolder, "knowledge.db");
  }

  /** The open database. After a failure the next call tries again. */
  store(): Promise<SqlStore> {
    this.#store ??= this.#open().catch((error: unknown) => {
      this.#store = undefined;
      throw error;
    });
    return this.#store;
  }

  /**
   * The configured embedder, or the built-in one that `madeBy` names. After a failure the next call tries again. An urgent call asks an
   * endpoint only once, and skips it for some seconds after it was unavailable.
   */
  async embedder(madeBy?: string, isUrgent = false): Promise<Embedder> {
    const { embedder: settings } = this.settings;
    const builtIn = madeBy === undefined ? undefined : BUILT_IN_EMBEDDERS[madeBy];
    if (builtIn !== undefined && isEndpoint(settings)) return this.#openEmbedder(builtIn);
    if (isUrgent && this.#unavailable !== undefined && this.#unavailable.until > this.host.now().getTime())
      throw this.#unavailable.error;
    const configured = this.#openEmbedder(settings, isUrgent);
    if (builtIn === undefined || (await configured.catch(() => undefined))?.name === madeBy) return configured;
    return this.#openEmbedder(builtIn);
  }

  /** Records that the endpoint did not answer. */
  noteUnavailable(error: EndpointUnavailable): void {
    // The recorded error itself is not a new failure.
    if (error !== this.#unavailable?.error)
      this.#unavailable = { error, until: this.host.now().getTime() + UNAVAILABLE_MS };
  }

  /** What a call can reach of the file system. */
  fileAccess(call: FileCaller): Promise<FileAccess> {
    return this.host.files.accessFor(call);
  }

  /** The current time in ISO 8601. */
  now(): string {
    return this.host.now().toISOString();
  }

  /** Closes the embedders and the database; `beforeStore` runs when the database is no longer being opened. */
  async close(beforeStore?: () => Promise<void>): Promise<void> {
    const [store, embedders] = [this.#store, [...this.#embedders.values()]];
    this.#store = undefined;
    this.#embedders.clear();
    for (const embedder of embedders) await (await embedder.catch(() => undefined))?.close();
    const opened = await store?.catch(() => undefined);
    await beforeStore?.();
    await opened?.close();
  }

  async #open(): Promise<SqlStore> {
    const [{ openSqlStore }, { KNOWLEDGE_STORE }] = await Promise.all([
      import("@toolwright/kit/storage/sql/sql.js"),
      import("./store/knowledge-store.js"),
    ]);
    const store = await openSqlStore(this.database, KNOWLEDGE_STORE);
    await this.#onOpen?.(store);
    return store;
  }

  #openEmbedder(settings: EmbedderSettings, isUrgent = false): Promise<Embedder> {
    // A call that can wait must not share the failure of an urgent one.
    const configured = isUrgent && isEndpoint(settings) ? "urgent" : "configured";
    const key = typeof settings === "string" ? settings : configured;
    const existing = this.#embedders.get(key);
    if (existing !== undefined) return existing;
    const opened = import("./embedders/open-embedder.js")
      .then(({ openEmbedder }) => openEmbedder(settings, this.host.stateFolder, undefined, isUrgent))
      .catch((error: unknown) => {
        this.#embedders.delete(key);
        throw error;
      });
    this.#embedders.set(key, opened);
    return opened;
  }
}

const isEndpoint = (settings: EmbedderSettings): boolean => typeof settings !== "string" && settings.kind !== "onnx";
