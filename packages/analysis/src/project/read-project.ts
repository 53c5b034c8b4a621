import { setImmediate as turn } from "node:timers/promises";
import { type FileAccess, type FileContents, statAll } from "@toolwright/kit/files";
import type { Language } from "@toolwright/kit/syntax";
import type { Analysis } from "../analysis.js";
import type { Fact, Facts } from "../facts/facts.js";
import { isSettled, stampOf } from "./cache.js";
import { type Known, type Nature, openTellers, recall, type Tellers, tellFacts } from "./file-facts.js";
import { findSources, type Source, type Sources } from "./find-sources.js";
import {
  type Project,
  type ProjectCall,
  type ProjectFile,
  type ProjectWish,
  type SkippedFile,
  widen,
} from "./project.js";
import { readSource, type SourceBytes } from "./read-source.js";
import type { Workers } from "./workers.js";

/** Finds the files of a project, and tells what is wanted of each: what has not changed is known, the rest is read. */
export async function readProject<Wanted extends Fact>(
  analysis: Analysis,
  call: ProjectCall,
  wish: ProjectWish<Wanted>,
): Promise<Project<Wanted>> {
  widen(call);
  const reach = await analysis.reach(call);
  const exclude = [...(wish.exclude ?? []), ...analysis.settings.exclude];
  const tellers = await openTellers(analysis);
  // Where nothing is known all has to be read, and threads can start while it is searched for.
  if (tellers.cache?.knowsFiles() !== true) tellers.workers.prepare();
  let seen = 0;
  const found = await findSources(reach, { ...wish, exclude }, (entries) => {
    seen = entries;
    call.progress(seen, `${seen} entries seen`);
  });
  const reading = new Reading({ analysis, call, reach, wish, found, seen, tellers });
  try {
    await reading.readRest(await reading.takeKnown());
  } finally {
    reading.tellers.cache?.flush();
  }
  return reading.result();
}

/** A turn of the event loop is given up so often while much is known. */
const TURN_MS = 20;

const LEFT_OUT = "of #if and #else whose brackets do not fit together, only the first branch is measured";

/** How often progress is told. */
const PROGRESS_MS = 200;

/** One reading of a project, as far as it has come. */
class Reading<Wanted extends Fact> {
  readonly tellers: Tellers;
  readonly #analysis: Analysis;
  readonly #call: ProjectCall;
  readonly #reach: FileAccess;
  readonly #wish: ProjectWish<Wanted>;
  readonly #found: Sources;
  readonly #files: ProjectFile<Wanted>[] = [];
  readonly #skipped: SkippedFile[];
  readonly #leftOut: { generated: number; vendored: number };
  #read = 0;
  #known = 0;
  #toldAt = 0;
  readonly #seen: number;

  constructor(given: {
    readonly analysis: Analysis;
    readonly call: ProjectCall;
    readonly reach: FileAccess;
    readonly wish: ProjectWish<Wanted>;
    readonly found: Sources;
    /** How far the search has come, by what was told of it. */
    readonly seen: number;
    readonly tellers: Tellers;
  }) {
    this.tellers = given.tellers;
    this.#analysis = given.analysis;
    this.#call = given.call;
    this.#reach = given.reach;
    this.#wish = given.wish;
    this.#found = given.found;
    this.#seen = given.seen;
    this.#skipped = [...given.found.skipped];
    this.#leftOut = { ...given.found.leftOut };
  }

  /** Takes what the cache knows of files that have not changed; gives those that have to be read. */
  async takeKnown(): Promise<readonly Source[]> {
    const { cache } = this.tellers;
    const { sources } = this.#found;
    if (cache?.knowsFiles() !== true) return sources;
    const places = sources.map(({ place }) => place);
    const looked = await statAll(this.#reach, places);
    const rest: Source[] = [];
    let began = performance.now();
    for (const [at, source] of sources.entries()) {
      const stats = looked[at];
      const hash = stats?.isFile() ? cache.hashOf(source.place, stampOf(stats)) : undefined;
      const { language, isHeader } = source;
      const wish = { language, isHeader, wanted: this.#wish.wanted };
      const known = hash === undefined ? undefined : recall(cache, hash, wish, this.#isWanted(source));
      if (known === undefined) rest.push(source);
      else {
        this.#known += 1;
        this.#take(source, known);
      }
      if (performance.now() - began < TURN_MS) continue;
      await turn();
      this.#call.signal.throwIfAborted();
      this.#tell();
      began = performance.now();
    }
    return rest;
  }

  /** Reads files, as many at once as there are threads for. */
  async readRest(rest: readonly Source[]): Promise<void> {
    const { workers } = this.tellers;
    const { signal } = this.#call;
    const queue = readAhead({ reach: this.#reach, workers, most: this.#analysis.settings.file_bytes, signal }, rest);
    let hasFailed = false;
    const lane = async (): Promise<void> => {
      try {
        // The lanes share one iterator, so that each file is taken once.
        for await (const each of queue) {
          signal.throwIfAborted();
          await this.#readOne(each);
          this.#tell();
          if (hasFailed) return;
        }
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    };
    await Promise.all(Array.from({ length: workers.wanted }, lane));
  }

  async #readOne({ source, plain, readAt }: ReadAhead): Promise<void> {
    const read: SourceBytes = plain ?? (await readSource(this.#reach, source, this.#analysis.settings.file_bytes));
    const { bytes, stats, reason } = read;
    this.#read += 1;
    if (bytes === undefined) return void this.#skipped.push({ path: source.path, reason });
    const { language, isHeader } = source;
    const wish = { language, isHeader, wanted: this.#wish.wanted, signal: this.#call.signal };
    const { hash, ...known } = await tellFacts(this.tellers, bytes, wish, this.#isWanted(source));
    if (isSettled(stats, readAt)) this.tellers.cache?.keepFile({ place: source.place, stamp: stampOf(stats), hash });
    this.#take(source, known);
  }

  #isWanted({ isWritten }: Source): (nature: Nature, language: Language) => boolean {
    return ({ isGenerated }, language) => this.#isOf(language) && (this.#found.isAll || isWritten || !isGenerated);
  }

  #isOf(language: Language): boolean {
    return this.#wish.languages === undefined || this.#wish.languages.includes(language);
  }

  #take(source: Source, { nature, language, facts, fault }: Known<Wanted>): void {
    const { path, place } = source;
    // A header may turn out to be of a language that is not wanted.
    if (!this.#isOf(language)) return;
    if (fault !== undefined) this.#skipped.push({ path, reason: fault });
    else if (nature.form === undefined) this.#skipped.push({ path, reason: "no text" });
    else if (facts === undefined) this.#leftOut.generated += 1;
    else {
      const isGenerated = nature.isGenerated && !source.isWritten && source.origin !== "vendored";
      const origin = isGenerated ? "generated" : source.origin;
      const kept = this.#wish.trim?.(facts) ?? facts;
      this.#files.push({ path, shown: this.#reach.displayPath(place), place, language, origin, facts: kept });
      this.#noteError(path, facts);
    }
  }

  #noteError(path: string, facts: Partial<Facts>): void {
    const { error_line: line, left_out_line: leftOut } = facts.measures ?? {};
    if (line !== undefined)
      this.#skipped.push({ path, line, reason: `syntax error in line ${line}: what is around it is measured` });
    if (leftOut !== undefined)
      this.#skipped.push({ path, line: leftOut, reason: `code left out from line ${leftOut} on: ${LEFT_OUT}` });
  }

  #tell(): void {
    const now = performance.now();
    if (now - this.#toldAt < PROGRESS_MS) return;
    this.#toldAt = now;
    const total = this.#found.sources.length;
    const done = this.#known + this.#read;
    // What was told of the search counts on, for progress must never go back.
    this.#call.progress(this.#seen + done, `${done} of ${total} files read`, this.#seen + total);
  }

  result(): Project<Wanted> {
    return {
      root: this.#found.root,
      files: this.#files.toSorted(byPath),
      skipped: this.#skipped.toSorted(byPath),
      left_out: this.#leftOut,
      read: this.#read,
      known: this.#known,
    };
  }
}

const byPath = (one: { readonly path: string }, other: { readonly path: string }): number =>
  one.path < other.path ? -1 : one.path > other.path ? 1 : 0;

/** A file that is to be read, and what it held if a thread could read it. */
export interface ReadAhead {
  readonly source: Source;
  readonly plain: FileContents | undefined;
  /** When its reading began. */
  readonly readAt: number;
}

/** How many files a thread is asked for at once. */
const AT_ONCE = 32;

/** Has the threads read files, some ahead of those that are taken. */
export async function* readAhead(
  { reach, workers, most, signal }: { reach: FileAccess; workers: Workers; most: number; signal: AbortSignal },
  sources: readonly Source[],
): AsyncGenerator<ReadAhead, void> {
  let next = read(0);
  for (let at = 0; at < sources.length; at += AT_ONCE) {
    const some = await next;
    next = read(at + AT_ONCE);
    yield* some;
  }

  function read(from: number): Promise<readonly ReadAhead[]> {
    const reading = readSome(sources.slice(from, from + AT_ONCE));
    // Who takes no more of them is not told of it.
    reading.catch(() => undefined);
    return reading;
  }

  async function readSome(some: readonly Source[]): Promise<readonly ReadAhead[]> {
    const readAt = Date.now();
    const places = some.map(({ place }) => place).filter((place) => reach.isVisible(place));
    const files = places.length === 0 ? [] : await workers.read({ places, most }, signal);
    const byPlace = new Map(places.map((place, at) => [place, files[at]]));
    return some.map((source) => ({ source, plain: byPlace.get(source.place), readAt }));
  }
}
