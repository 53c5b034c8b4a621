import path from "node:path";
import type { Call, InferInput } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import type { CommandHost } from "@toolwright/kit/pack";
import type { Cache } from "./project/cache.js";
import type { Workers, WorkersOptions } from "./project/workers.js";

/** The settings of the pack. */
export const SETTINGS = {
  type: "object",
  properties: {
    exclude: {
      type: "array",
      items: { type: "string", minLength: 1 },
      default: [],
      description: "Globs of files that no analysis reads, relative to the analyzed folder.",
    },
    maxFileBytes: {
      type: "integer",
      minimum: 1,
      default: 1024 * 1024,
      description: "The size of the largest file that is analyzed. Larger files are reported as skipped.",
    },
    cache: {
      type: "boolean",
      default: true,
      description: "Whether results are kept in the state folder, so that only changed files are read again.",
    },
    dotPaths: {
      type: "boolean",
      default: false,
      description: "Whether the files of analyze_complexity and analyze_code_churn begin with ./",
    },
  },
} as const;

/** The settings of the pack, with defaults. */
export type Settings = InferInput<typeof SETTINGS>;

/** What an analysis needs of the host of the pack. */
export type AnalysisHost = Pick<CommandHost, "stateFolder" | "files" | "now" | "log">;

/** What the tools and commands of the pack share: settings, file access, worker threads and the cache. */
export class Analysis {
  readonly settings: Settings;
  readonly #host: AnalysisHost;
  readonly #threads: Partial<WorkersOptions>;
  #workers: Promise<Workers> | undefined;
  #cache: Promise<Cache> | undefined;

  constructor({
    settings,
    host,
    threads = {},
  }: {
    settings: Settings;
    host: AnalysisHost;
    threads?: Partial<WorkersOptions>;
  }) {
    this.settings = settings;
    this.#host = host;
    this.#threads = threads;
  }

  /** The current time. */
  now(): Date {
    return this.#host.now();
  }

  /** What a call may read. */
  fileAccess(call: Pick<Call, "signal" | "supports" | "roots">): Promise<FileAccess> {
    return this.#host.files.accessFor(call);
  }

  /** The threads that read sources. They start when they are first needed. */
  workers(): Promise<Workers> {
    this.#workers ??= this.#createWorkers();
    return this.#workers;
  }

  /** The results of files that were read before; undefined if the settings switch the cache off. */
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
    const { WORKER_FILE, Workers } = await import("./project/workers.js");
    return new Workers({ file: WORKER_FILE, ...this.#threads });
  }

  async #createCache(): Promise<Cache> {
    const { Cache } = await import("./project/cache.js");
    return new Cache(path.join(this.#host.stateFolder, "analysis"), this.#host);
  }
}
