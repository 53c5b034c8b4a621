import { lstat } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "@toolwright/engine";
import type { FileAccess } from "./file-access.js";
import { readHead, readingOf } from "./file-scan.js";
import { MAX_RESULT_BYTES, sizeInJson } from "./fit-to-budget.js";
import { compileGlob } from "./glob.js";
import { findCandidates } from "./ripgrep.js";
import { type LineMatch, searchFile } from "./search-file.js";
import { compilePattern, createGuard, type Guard, type SearchPattern } from "./search-pattern.js";
import { type Walked, type WalkOptions, walk } from "./walk.js";

/** What is looked for, and where. */
export interface SearchOptions {
  readonly pattern: string;
  readonly path: string;
  readonly literal: boolean;
  readonly ignore_case: boolean;
  readonly glob?: string | undefined;
  readonly ignored: boolean;
  readonly context: number;
  /** Lines in all, and of one file at most. */
  readonly limit: number;
  readonly per_file?: number | undefined;
  /** Gives how many lines fit in each file, not the lines. */
  readonly counts: boolean;
  /** Where an earlier search has ended: a line and a path. */
  readonly after?: string | undefined;
}

/** A file with lines that fit. */
interface SearchedLines {
  readonly path: string;
  readonly count?: number;
  readonly matches?: LineMatch[];
}

/** One page of what was found. */
export interface SearchPage {
  readonly files: SearchedLines[];
  /** How many lines of this page fit. */
  readonly matches: number;
  /** How many files were searched for it. */
  readonly searched: number;
  readonly skipped?: string[];
  readonly next?: { after: string };
}

/** What a search is done with. */
export interface SearchTools {
  /** Where ripgrep is; without it all is searched by ourselves, with the same result. */
  readonly ripgrep: string | undefined;
  /** After this the page ends, and the next one goes on behind the last file. */
  readonly pageMs?: number;
  /** Hears now and then how many files were searched. */
  onProgress(searched: number): void;
}

const MOST_SKIPPED = 20;

/** A larger file is not searched: reading it takes longer than a call may. */
const MAX_FILE_BYTES = 1024 ** 3;

/** How long a page may take. */
const PAGE_MS = 20_000;

/** Bytes of JSON around a path. */
const FACTS = 32;

/** Behind the last line that a file can have. */
const ALL_LINES = Number.MAX_SAFE_INTEGER;

const PASSED_OVER = new Set(["NOT_FOUND", "FORBIDDEN_PATH", "CONFLICT"]);

/** Searches the lines of files. */
export async function searchFiles(access: FileAccess, options: SearchOptions, means: SearchTools): Promise<SearchPage> {
  const pattern = compilePattern({
    pattern: options.pattern,
    literal: options.literal,
    ignoreCase: options.ignore_case,
  });
  const guard: Guard = pattern.isQuick ? (work) => work() : await createGuard(options.pattern);
  const search = new Search(access, options, pattern, guard);
  const glob = options.glob === undefined ? undefined : compileGlob(options.glob);
  const start = readAfter(options.after);
  const files = filesToSearch(access, options.path, {
    walk: { ignored: options.ignored, enters: glob?.canHold, skipped: (relativePath) => search.skip(relativePath) },
    fits: (relativePath) => glob?.fits(relativePath) ?? true,
    start,
    ripgrep: means.ripgrep === undefined ? undefined : { program: means.ripgrep, pattern: pattern.wide },
  });
  for await (const file of files) {
    if (await search.add(file, file.relativePath === start?.relativePath ? start : START)) break;
    // The first file of a further page may be the last one of the page before.
    if (search.searched > (start === undefined ? 0 : 1) && search.endIfLate(file, means.pageMs ?? PAGE_MS)) break;
    if (search.searched % 500 === 0) means.onProgress(search.searched);
  }
  return search.page();
}

/** Where an earlier page has ended: behind which line of which file, and how many of its lines were given. */
interface Position {
  readonly line: number;
  readonly inputPath: number;
  readonly relativePath: string;
}

const START = { line: 0, inputPath: 0 };

/** `12/3:src/a.ts`: behind line 12 of that file, after 3 lines of it. */
const writeAfter = ({ line, inputPath, relativePath }: Position): string => `${line}/${inputPath}:${relativePath}`;

function readAfter(after: string | undefined): Position | undefined {
  if (after === undefined) return undefined;
  const [, line, inputPath, relativePath] = /^(\d+)\/(\d+):(.+)$/s.exec(after) ?? [];
  if (line === undefined || inputPath === undefined || relativePath === undefined)
    throw new ToolError(`Cannot go on after ${JSON.stringify(after)}: give the \`next.after\` of an earlier result.`, {
      code: "INVALID_ARGUMENT",
      details: { after },
    });
  return { line: Number(line), inputPath: Number(inputPath), relativePath };
}

/** A page as it fills. */
class Search {
  readonly #access: FileAccess;
  readonly #options: SearchOptions;
  readonly #pattern: SearchPattern;
  readonly #guard: Guard;
  readonly #files: SearchedLines[] = [];
  readonly #skipped: string[] = [];
  #room = MAX_RESULT_BYTES;
  #matches = 0;
  #last: string | undefined;
  #isFull = false;
  readonly #startedAt = performance.now();
  searched = 0;

  constructor(access: FileAccess, options: SearchOptions, pattern: SearchPattern, guard: Guard) {
    this.#access = access;
    this.#options = options;
    this.#pattern = pattern;
    this.#guard = guard;
  }

  skip(relativePath: string): void {
    if (this.#skipped.length < MOST_SKIPPED) this.#skipped.push(relativePath);
  }

  /** Searches one more file; true where the page is full. */
  async add({ realPath, relativePath, isWorthALook }: SearchedFile, from: typeof START): Promise<boolean> {
    this.searched += 1;
    if (!isWorthALook || from.line === ALL_LINES) return false;
    const shown = this.#access.displayPath(realPath);
    try {
      await using opened = await this.#access.openFileAt(shown, realPath);
      if (opened.stats.size > MAX_FILE_BYTES) {
        this.skip(`${relativePath} (larger than 1 GiB)`);
        return false;
      }
      const reading = readingOf(this.#access, opened);
      const { form, head } = await readHead(reading);
      // UTF-16 without a mark is a guess that ripgrep does not make.
      if (form === undefined || (form.encoding.startsWith("utf-16") && form.bomBytes === 0)) return false;
      const context = this.#options.counts ? 0 : this.#options.context;
      const { own: pattern } = this.#pattern;
      const lines = searchFile(reading, { form, head, pattern, guard: this.#guard, context, after: from.line });
      await (this.#options.counts
        ? this.#count(shown, relativePath, lines)
        : this.#collect(shown, { ...from, relativePath }, lines));
    } catch (error) {
      // A file may vanish or be closed to us while others are searched.
      if (!(error instanceof ToolError && PASSED_OVER.has(error.code ?? ""))) throw error;
      this.skip(relativePath);
    }
    return this.#isFull;
  }

  /** Ends the page behind a file if it has taken long enough. */
  endIfLate({ relativePath }: SearchedFile, pageMs: number): boolean {
    if (performance.now() - this.#startedAt < pageMs) return false;
    this.#last = writeAfter({ line: ALL_LINES, inputPath: 0, relativePath });
    this.#isFull = true;
    return true;
  }

  async #count(shown: string, relativePath: string, lines: AsyncIterable<LineMatch>): Promise<void> {
    let count = 0;
    for await (const _match of lines) {
      if (count === 0 && this.#files.length > 0 && (this.#files.length === this.#options.limit || this.#room < 0)) {
        this.#isFull = true;
        return;
      }
      count += 1;
    }
    if (count === 0) return;
    this.#files.push({ path: shown, count });
    this.#matches += count;
    this.#room -= sizeInJson(shown) + FACTS;
    this.#last = writeAfter({ line: ALL_LINES, inputPath: count, relativePath });
  }

  async #collect(shown: string, from: Position, lines: AsyncIterable<LineMatch>): Promise<void> {
    const { limit, per_file: perFile = Number.POSITIVE_INFINITY } = this.#options;
    const matches: LineMatch[] = [];
    for await (const match of lines) {
      const size = sizeInJson(match) + (matches.length === 0 ? sizeInJson(shown) + FACTS : 1);
      if (this.#matches > 0 && (this.#matches >= limit || this.#room < size)) {
        this.#isFull = true;
        break;
      }
      if (matches.length === 0) this.#files.push({ path: shown, matches });
      matches.push(match);
      this.#room -= size;
      this.#matches += 1;
      const inputPath = from.inputPath + matches.length;
      this.#last = writeAfter({ ...from, line: inputPath < perFile ? match.line : ALL_LINES, inputPath });
      if (inputPath >= perFile) break;
    }
  }

  page(): SearchPage {
    return {
      files: this.#files,
      matches: this.#matches,
      searched: this.searched,
      ...(this.#skipped.length > 0 && { skipped: this.#skipped }),
      ...(this.#isFull && this.#last !== undefined && { next: { after: this.#last } }),
    };
  }
}

/** A file to search. */
interface SearchedFile {
  readonly realPath: string;
  readonly relativePath: string;
  /** False where ripgrep has found nothing in it. */
  readonly isWorthALook: boolean;
}

/** Which files are searched. */
interface BatchOptions {
  readonly walk: WalkOptions;
  fits(relativePath: string): boolean;
  /** The file to start with. */
  readonly start: { readonly relativePath: string } | undefined;
  readonly ripgrep: { readonly program: string; readonly pattern: string } | undefined;
}

/** The first batch is small, so that a page that is soon full costs little. Command lines have an end, on Windows a near one. */
const BATCH = { first: 64, files: 1000, characters: process.platform === "win32" ? 24_000 : 100_000 } as const;

/** The files to search, in the order of a walk. While some are searched, ripgrep looks at the next ones. */
async function* filesToSearch(
  access: FileAccess,
  inputPath: string,
  options: BatchOptions,
): AsyncGenerator<SearchedFile, void> {
  const found = await access.stat(inputPath);
  if (found?.stats.isFile()) {
    yield { realPath: found.realPath, relativePath: path.basename(found.realPath), isWorthALook: true };
    return;
  }
  const ahead = new Ahead(access, inputPath, found?.realPath ?? inputPath, options);
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

/** How long ripgrep may take for a batch. */
const RIPGREP_MS = { first: 5000, again: 10_000 } as const;

async function isTooLarge(access: FileAccess, realPath: string): Promise<boolean> {
  const stats = await access.withTimeout(realPath, () => lstat(realPath)).catch(() => undefined);
  return stats !== undefined && stats.size > MAX_FILE_BYTES;
}

/** Walks, and asks ripgrep, one batch ahead of who searches. */
class Ahead {
  readonly #access: FileAccess;
  readonly #folder: string;
  readonly #options: BatchOptions;
  readonly #steps: AsyncGenerator<Walked, void>;
  readonly #stop = new AbortController();
  #pending: Promise<unknown> = Promise.resolve();

  constructor(access: FileAccess, inputPath: string, folder: string, options: BatchOptions) {
    this.#access = access;
    this.#folder = folder;
    this.#options = options;
    const after = options.start?.relativePath;
    this.#steps = walk(access, inputPath, { ...options.walk, ...(after !== undefined && { after, including: true }) });
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
      if (value.kind !== "file" || !this.#options.fits(value.relativePath)) continue;
      files.push(value);
      characters += value.relativePath.length + 8;
    }
    const worth = await this.#ask(files);
    return files.map(({ realPath, relativePath }) => ({
      realPath,
      relativePath,
      isWorthALook: worth?.has(relativePath) ?? true,
    }));
  }

  async #ask(files: readonly Walked[]): Promise<ReadonlySet<string> | undefined> {
    const { ripgrep } = this.#options;
    if (ripgrep === undefined || files.length === 0) return undefined;
    const { signal } = this.#access;
    const ask = (some: readonly Walked[], limitMs: number) =>
      findCandidates({
        ...ripgrep,
        folder: this.#folder,
        files: some.map(({ relativePath }) => relativePath),
        signal: signal === undefined ? this.#stop.signal : AbortSignal.any([signal, this.#stop.signal]),
        limitMs,
      });
    const found = await ask(files, RIPGREP_MS.first);
    if (found !== undefined) return found;
    // One that is too large for a search keeps ripgrep busy for ever; its size is only looked up where that seems so.
    const [others, tooLarge]: [Walked[], string[]] = [[], []];
    for (const file of files)
      if (await isTooLarge(this.#access, file.realPath)) tooLarge.push(file.relativePath);
      else others.push(file);
    if (tooLarge.length === 0) return undefined;
    const worth = others.length === 0 ? [] : await ask(others, RIPGREP_MS.again);
    return worth && new Set([...worth, ...tooLarge]);
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#pending;
    await this.#steps.return();
  }
}
