import path from "node:path";
import type { FileAccess } from "./file-access.js";
import { findCandidates } from "./ripgrep.js";
import { type Walked, type WalkOptions, walk } from "./walk.js";

/** A file to search. */
export interface SearchedFile {
  readonly place: string;
  readonly below: string;
  /** False where ripgrep has found nothing in it. */
  readonly isWorthALook: boolean;
}

/** Which files are searched. */
export interface BatchOptions {
  readonly walk: WalkOptions;
  fits(below: string): boolean;
  /** The file to start with. */
  readonly start: { readonly below: string } | undefined;
  readonly ripgrep: { readonly program: string; readonly pattern: string } | undefined;
}

/** The first batch is small, so that a page that is soon full costs little. Command lines have an end, on Windows a near one. */
const BATCH = { first: 64, files: 1000, characters: process.platform === "win32" ? 24_000 : 100_000 } as const;

/** The files to search, in the order of a walk. While some are searched, ripgrep looks at the next ones. */
export async function* filesToSearch(
  reach: FileAccess,
  given: string,
  options: BatchOptions,
): AsyncGenerator<SearchedFile, void> {
  const found = await reach.look(given);
  if (found?.stats.isFile()) {
    yield { place: found.place, below: path.basename(found.place), isWorthALook: true };
    return;
  }
  const ahead = new Ahead(reach, given, found?.place ?? given, options);
  try {
    let batch = await ahead.take(BATCH.first);
    while (batch.length > 0) {
      const next = ahead.take(BATCH.files);
      yield* batch;
      batch = await next;
    }
  } finally {
    await ahead.end();
  }
}

/** Walks, and asks ripgrep, one batch ahead of who searches. */
class Ahead {
  readonly #reach: FileAccess;
  readonly #folder: string;
  readonly #options: BatchOptions;
  readonly #steps: AsyncGenerator<Walked, void>;
  readonly #stop = new AbortController();
  #pending: Promise<unknown> = Promise.resolve();

  constructor(reach: FileAccess, given: string, folder: string, options: BatchOptions) {
    this.#reach = reach;
    this.#folder = folder;
    this.#options = options;
    const after = options.start?.below;
    this.#steps = walk(reach, given, { ...options.walk, ...(after !== undefined && { after, including: true }) });
  }

  take(most: number): Promise<readonly SearchedFile[]> {
    const batch = this.#take(most);
    // Nobody may be left to hear of its failure.
    this.#pending = batch.catch(() => undefined);
    return batch;
  }

  async #take(most: number): Promise<readonly SearchedFile[]> {
    const files: Walked[] = [];
    let characters = 0;
    while (files.length < most && characters < BATCH.characters && !this.#stop.signal.aborted) {
      const { value, done } = await this.#steps.next();
      if (done) break;
      if (value.kind !== "file" || !this.#options.fits(value.below)) continue;
      files.push(value);
      characters += value.below.length + 8;
    }
    const worth = await this.#ask(files);
    return files.map(({ place, below }) => ({ place, below, isWorthALook: worth?.has(below) ?? true }));
  }

  async #ask(files: readonly Walked[]): Promise<ReadonlySet<string> | undefined> {
    const { ripgrep } = this.#options;
    if (ripgrep === undefined || files.length === 0) return undefined;
    const { signal } = this.#reach;
    return findCandidates({
      ...ripgrep,
      folder: this.#folder,
      files: files.map(({ below }) => below),
      signal: signal === undefined ? this.#stop.signal : AbortSignal.any([signal, this.#stop.signal]),
    });
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#pending;
    await this.#steps.return();
  }
}
