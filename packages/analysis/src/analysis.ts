import type { Call, PackHost } from "@toolwright/engine";
import type { AccessPolicy, FileAccess } from "@toolwright/kit/files";
import type { Cache } from "./project/cache.js";
import type { Workers, WorkersOptions } from "./project/workers.js";
import type { Settings } from "./settings.js";

/** What every tool of the pack is given: the folders it may read, and what several tools share. */
export class Analysis {
  readonly settings: Settings;
  /** Where the pack keeps what should outlive it. */
  readonly state: string;
  readonly host: Pick<PackHost, "log">;
  readonly #grant: AccessPolicy;
  readonly #threads: Partial<WorkersOptions>;
  #workers: Promise<Workers> | undefined;
  #cache: Promise<Cache> | undefined;

  /** `threads` are for those who try out how threads fail. */
  constructor({
    settings,
    state,
    host,
    grant,
    threads = {},
  }: Pick<Analysis, "settings" | "state" | "host"> & { grant: AccessPolicy; threads?: Partial<WorkersOptions> }) {
    this.settings = settings;
    this.state = state;
    this.host = host;
    this.#grant = grant;
    this.#threads = threads;
  }

  /** What a call can reach of the file system. */
  reach(call: Pick<Call, "signal" | "supports" | "roots">): Promise<FileAccess> {
    return this.#grant.accessFor(call);
  }

  /** The threads that read sources. */
  workers(): Promise<Workers> {
    this.#workers ??= this.#createWorkers();
    return this.#workers;
  }

  /** What is known of files that were read before; undefined where the settings want nothing kept. */
  async cache(): Promise<Cache | undefined> {
    if (!this.settings.cache) return undefined;
    this.#cache ??= this.#createCache();
    return this.#cache;
  }

  async close(): Promise<void> {
    await (await this.#workers)?.close();
    (await this.#cache)?.close();
  }

  async #createWorkers(): Promise<Workers> {
    const [{ Workers: Threads }, { WORKER_FILE }] = await Promise.all([
      import("./project/workers.js"),
      import("./project/workers.js"),
    ]);
    return new Threads({ file: WORKER_FILE, count: this.settings.workers, ...this.#threads });
  }

  async #createCache(): Promise<Cache> {
    const { Cache: Kept } = await import("./project/cache.js");
    return new Kept(this.state, this.host);
  }
}
