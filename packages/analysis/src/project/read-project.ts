import { setImmediate as nextTurn } from "node:timers/promises";
import { type FileAccess, type FileContents, statAll } from "@toolwright/kit/files";
import type { Language } from "@toolwright/kit/syntax";
import type { Analysis } from "../analysis.js";
import type { Fact, Facts } from "../facts/facts.js";
import { isSettled, stampOf } from "./cache.js";
import {
  type FactReader,
  type FileFacts,
  type Nature,
  openFactReader,
  readCachedFacts,
  readContentFacts,
} from "./file-facts.js";
import { findSources, type Source, type Sources } from "./find-sources.js";
import {
  type AnalysisCall,
  allowManyListeners,
  type Project,
  type ProjectFile,
  type ProjectQuery,
  type SkippedFile,
} from "./project.js";
import { readSource } from "./read-source.js";

/** Reads the wanted facts of the selected files. Unchanged files come from the cache, the others from worker threads. */
export async function readProject<Wanted extends Fact>(
  analysis: Analysis,
  call: AnalysisCall,
  query: ProjectQuery<Wanted>,
): Promise<Project<Wanted>> {
  allowManyListeners(call);
  const access = await analysis.fileAccess(call);
  const exclude = [...(query.exclude ?? []), ...analysis.settings.exclude];
  const reader = await openFactReader(analysis);
  // With an empty cache every file has to be read, so threads can start during the search.
  if (reader.cache?.hasFiles() !== true) reader.workers.prepare();
  const found = await findSources(access, { ...query, exclude }, call.onProgress);
  const project = new ProjectReader({ analysis, call, access, query, found, reader });
  try {
    await project.readChanged(await project.readUnchanged());
  } finally {
    reader.cache?.flush();
  }
  return project.result();
}

/** How long cached files are processed before other work of the server gets its turn. */
const TURN_MS = 20;

/** How many files a thread reads in one job. */
const FILES_PER_JOB = 32;

interface ReaderOptions<Wanted extends Fact> {
  readonly analysis: Analysis;
  readonly call: AnalysisCall;
  readonly access: FileAccess;
  readonly query: ProjectQuery<Wanted>;
  readonly found: Sources;
  readonly reader: FactReader;
}

/** A file that is to be read, and its content if a thread could read it. */
interface PendingFile {
  readonly source: Source;
  readonly contents: FileContents | undefined;
  /** When reading it began. */
  readonly readAt: number;
}

/** The state of reading one project. */
class ProjectReader<Wanted extends Fact> {
  readonly #options: ReaderOptions<Wanted>;
  readonly #files: ProjectFile<Wanted>[] = [];
  readonly #skipped: SkippedFile[];
  readonly #leftOut: { generated: number; vendored: number };
  #read = 0;
  #known = 0;

  constructor(options: ReaderOptions<Wanted>) {
    this.#options = options;
    this.#skipped = [...options.found.skipped];
    this.#leftOut = { ...options.found.leftOut };
  }

  /** Takes unchanged files from the cache, and returns those that have to be read. */
  async readUnchanged(): Promise<readonly Source[]> {
    const { reader, found, access, call, query } = this.#options;
    const { cache } = reader;
    const { sources } = found;
    if (cache?.hasFiles() !== true) return sources;
    const allStats = await statAll(
      access,
      sources.map(({ realPath }) => realPath),
    );
    const changed: Source[] = [];
    let began = performance.now();
    for (const [at, source] of sources.entries()) {
      const stats = allStats[at];
      const hash = stats?.isFile() ? cache.hashOf(source.realPath, stampOf(stats)) : undefined;
      const { language, isHeader } = source;
      const known =
        hash === undefined
          ? undefined
          : readCachedFacts(cache, hash, { language, isHeader, wanted: query.wanted }, this.#filterFor(source));
      if (known === undefined) changed.push(source);
      else {
        this.#known += 1;
        this.#add(source, known);
      }
      if (performance.now() - began < TURN_MS) continue;
      await nextTurn();
      call.signal.throwIfAborted();
      this.#reportProgress();
      began = performance.now();
    }
    return changed;
  }

  /** Reads files, as many at once as keep the threads busy. */
  async readChanged(sources: readonly Source[]): Promise<void> {
    const { workers } = this.#options.reader;
    const { signal } = this.#options.call;
    const pending = this.#readAhead(sources);
    let hasFailed = false;
    const consume = async (): Promise<void> => {
      try {
        // All consumers share one iterator, so each file is taken once.
        for await (const file of pending) {
          signal.throwIfAborted();
          await this.#readOne(file);
          this.#reportProgress();
          if (hasFailed) return;
        }
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    };
    await Promise.all(Array.from({ length: workers.concurrency }, consume));
  }

  /** Lets threads read files, one job ahead of the consumers. */
  async *#readAhead(sources: readonly Source[]): AsyncGenerator<PendingFile, void> {
    const { access, reader, analysis, call } = this.#options;
    const { maxFileBytes: maxBytes } = analysis.settings;
    const readBatch = async (batch: readonly Source[]): Promise<readonly PendingFile[]> => {
      const readAt = Date.now();
      const realPaths = batch.map(({ realPath }) => realPath).filter((realPath) => access.isVisible(realPath));
      const files = realPaths.length === 0 ? [] : await reader.workers.readFiles({ realPaths, maxBytes }, call.signal);
      const byPath = new Map(realPaths.map((realPath, at) => [realPath, files[at]]));
      return batch.map((source) => ({ source, contents: byPath.get(source.realPath), readAt }));
    };
    const start = (from: number): Promise<readonly PendingFile[]> => {
      const reading = readBatch(sources.slice(from, from + FILES_PER_JOB));
      // The error is thrown where the batch is awaited, if it still is.
      reading.catch(() => undefined);
      return reading;
    };
    let next = start(0);
    for (let at = 0; at < sources.length; at += FILES_PER_JOB) {
      const batch = await next;
      next = start(at + FILES_PER_JOB);
      yield* batch;
    }
  }

  async #readOne({ source, contents, readAt }: PendingFile): Promise<void> {
    const { access, analysis, reader, query, call } = this.#options;
    const { path, realPath, language, isHeader } = source;
    const read = contents ?? (await readSource(access, realPath, analysis.settings.maxFileBytes));
    this.#read += 1;
    if ("reason" in read && read.reason !== undefined) {
      this.#skipped.push({ path, reason: read.reason });
      return;
    }
    const { bytes, stats } = read as FileContents;
    const { hash, ...facts } = await readContentFacts(
      reader,
      bytes,
      { language, isHeader, wanted: query.wanted, signal: call.signal },
      this.#filterFor(source),
    );
    if (isSettled(stats, readAt)) reader.cache?.keepFile({ realPath, stamp: stampOf(stats), hash });
    this.#add(source, facts);
  }

  #filterFor({ isMarkedAsOwn }: Source): (nature: Nature, language: Language) => boolean {
    const { isAll } = this.#options.found;
    return ({ isGenerated }, language) => this.#isSelected(language) && (isAll || isMarkedAsOwn || !isGenerated);
  }

  #isSelected(language: Language): boolean {
    const { languages } = this.#options.query;
    return languages === undefined || languages.includes(language);
  }

  #add(source: Source, { nature, language, facts, failure }: FileFacts<Wanted>): void {
    const { path, realPath } = source;
    // The content of a header can show a language that is not selected.
    if (!this.#isSelected(language)) return;
    if (failure !== undefined) this.#skipped.push({ path, reason: failure });
    else if (nature.form === undefined) this.#skipped.push({ path, reason: NOT_TEXT });
    else if (facts === undefined) this.#leftOut.generated += 1;
    else {
      const { query, access } = this.#options;
      const isGenerated = nature.isGenerated && !source.isMarkedAsOwn && source.origin !== "vendored";
      const origin = isGenerated ? "generated" : source.origin;
      const kept = query.trim?.(facts) ?? facts;
      this.#files.push({ path, displayPath: access.displayPath(realPath), realPath, language, origin, facts: kept });
      this.#addSyntaxErrors(path, facts);
    }
  }

  #addSyntaxErrors(path: string, facts: Partial<Facts>): void {
    const { error_line: line, left_out_line: leftOut } = facts.measures ?? {};
    if (line !== undefined)
      this.#skipped.push({ path, line, reason: `syntax error in line ${line}; the rest of the file is measured` });
    if (leftOut !== undefined)
      this.#skipped.push({
        path,
        line: leftOut,
        reason: `unbalanced brackets in the branches of #if from line ${leftOut} on; only the first branch is measured`,
      });
  }

  #reportProgress(): void {
    const { call, found } = this.#options;
    const done = this.#known + this.#read;
    call.onProgress?.({ stage: "Reading files", done, total: found.sources.length, unit: "files" });
  }

  result(): Project<Wanted> {
    return {
      root: this.#options.found.root,
      files: this.#files.toSorted(byPath),
      skipped: this.#skipped.toSorted(byPath),
      left_out: this.#leftOut,
      read: this.#read,
      known: this.#known,
    };
  }
}

/** The reason for skipping a file that is not text. */
export const NOT_TEXT = "not a text file";

const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
