import { createHash, type Hash } from "node:crypto";
import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { FileAccess } from "./file-access.js";
import type { OpenFile } from "./file-handles.js";
import { type Encoding, formOf, hashFrom, type TextForm } from "./text.js";

/** How much is read at once; also how far apart the places are of which the line is remembered. */
const STEP = 1024 * 1024;

/** A larger file is not read through for its hash and the number of its lines. */
const MOST_SCANNED = 64 * STEP;

/** A file as far as it is looked at: how it is written, where its lines start, and its hash once all of it was read. */
export class FileScan {
  /** How the text is written down; undefined = it is no text. */
  readonly form: TextForm | undefined;
  readonly size: number;
  /** How many line breaks there are in front of each step. */
  readonly #breaks: number[] = [0];
  readonly #hash: Hash | undefined;
  #at = 0;
  #lastIsBreak = false;
  #digest: string | undefined;
  /** The line after the last page: most pages are read one after the other. */
  #next: { readonly line: number; readonly start: number } | undefined;
  /** Several calls may read the same file at once; each step is taken once. */
  #turn: Promise<void> = Promise.resolve();

  constructor(size: number, form: TextForm | undefined) {
    this.size = size;
    this.form = form;
    this.#hash = size <= MOST_SCANNED ? createHash("sha256") : undefined;
  }

  /** Looks at the head of a file. An `encoding` that is given is believed. */
  static async open(file: Reading, encoding?: Encoding): Promise<FileScan> {
    const { form } = await readHead(file);
    const bomBytes = form?.encoding === encoding ? (form?.bomBytes ?? 0) : 0;
    return new FileScan(file.size, encoding === undefined ? form : { encoding, bomBytes });
  }

  /** Whether it is small enough to be read through. */
  get canHash(): boolean {
    return this.#hash !== undefined;
  }

  /** The hash of all bytes; undefined where the file is too large for one. */
  async hash(file: Reading): Promise<string | undefined> {
    if (this.#hash === undefined) return undefined;
    await this.#goOn(file, Number.POSITIVE_INFINITY);
    // Cut short meanwhile, it has no hash that belongs to what was read.
    if (this.#at === this.size) this.#digest ??= hashFrom(this.#hash);
    return this.#digest;
  }

  /** How many lines there are; reads all of the file, once. */
  async lines(file: Reading): Promise<number> {
    await this.#goOn(file, Number.POSITIVE_INFINITY);
    const isOpen = this.size > (this.form?.bomBytes ?? 0) && !this.#lastIsBreak;
    return (this.#breaks.at(-1) ?? 0) + (isOpen ? 1 : 0);
  }

  /** Where a line starts, counted from 1; undefined where there are fewer. Reads no further than it has to. */
  async startOf(file: Reading, line: number): Promise<number | undefined> {
    if (line <= 1) return this.form?.bomBytes ?? 0;
    if (this.#next?.line === line) return this.#next.start;
    await this.#goOn(file, line - 1);
    const step = this.#breaks.findIndex((breaks) => breaks >= line - 1) - 1;
    if (step < 0) return undefined;
    const bytes = await readAt(file, step * STEP, STEP);
    let left = line - 1 - (this.#breaks[step] ?? 0);
    for (const end of breaksIn(bytes, this.form)) {
      left -= 1;
      if (left === 0) return step * STEP + end < this.size ? step * STEP + end : undefined;
    }
    return undefined;
  }

  /** A page has shown where a line starts. */
  note(line: number, start: number): void {
    if (start < this.size) this.#next = { line, start };
  }

  /** Reads on until so many line breaks were seen. */
  #goOn(file: Reading, breaks: number): Promise<void> {
    const turn = this.#turn.then(() => this.#takeSteps(file, breaks));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #takeSteps(file: Reading, breaks: number): Promise<void> {
    while (this.#at < this.size && (this.#breaks.at(-1) ?? 0) < breaks) {
      const bytes = await readAt(file, this.#at, STEP);
      if (bytes.length === 0) break;
      this.#hash?.update(bytes);
      let count = 0;
      let last = 0;
      for (const end of breaksIn(bytes, this.form)) {
        count += 1;
        last = end;
      }
      this.#at += bytes.length;
      this.#lastIsBreak = count > 0 && last === bytes.length;
      this.#breaks.push((this.#breaks.at(-1) ?? 0) + count);
    }
  }
}

/** A file that is open, and how it is read: with the deadline of the call. */
export interface Reading {
  readonly handle: FileHandle;
  readonly size: number;
  readonly withTimeout: <Value>(operation: () => Promise<Value>) => Promise<Value>;
}

/** Reads a file with the deadline and the signal of a call. */
export const readingOf = (access: FileAccess, { handle, stats, realPath }: OpenFile): Reading => ({
  handle,
  size: stats.size,
  withTimeout: (operation) => access.withTimeout(access.displayPath(realPath), operation),
});

/** Reads the first part of a file, and tells how it is written; a small file is then read whole. */
export async function readHead(file: Reading): Promise<{ readonly head: Buffer; readonly form: TextForm | undefined }> {
  const head = await readAt(file, 0, STEP);
  return { head, form: formOf(head, head.length === file.size) };
}

/** Reads bytes at a place of a file; fewer where it ends before. */
export async function readAt({ handle, size, withTimeout }: Reading, position: number, most: number): Promise<Buffer> {
  const length = Math.max(0, Math.min(most, size - position));
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await withTimeout(() => handle.read(bytes, filled, length - filled, position + filled));
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

const LINE_FEED = 0x0a;

/** Where lines end in bytes: each place behind a line feed. The bytes start at a character. */
export function* breaksIn(bytes: Buffer, form: TextForm | undefined): Generator<number, void> {
  const wide = form?.encoding === "utf-16le" ? 1 : form?.encoding === "utf-16be" ? -1 : 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) {
    if (wide === 0) yield at + 1;
    else if (at % 2 === (wide === 1 ? 0 : 1) && bytes[at + wide] === 0) yield at + (wide === 1 ? 2 : 1);
  }
}

/** How many files are remembered. */
const MOST = 32;

/** A file that was changed more recently could change again without a later time being noted. */
const SETTLED_MS = 2000;

/** Remembers what was found out about files that were read, so that the next page of one costs no more than itself. */
export class FileScans {
  readonly #scans = new Map<string, FileScan>();

  /** What is known of a file as it is now. */
  async of(file: Reading, stats: Stats, encoding?: Encoding): Promise<FileScan> {
    const { dev, ino, size, mtimeMs, ctimeMs } = stats;
    const key = [dev, ino, size, mtimeMs, ctimeMs, encoding].join(" ");
    const scan = this.#scans.get(key) ?? (await FileScan.open(file, encoding));
    this.#scans.delete(key);
    if (Date.now() - Math.max(mtimeMs, ctimeMs) < SETTLED_MS) return scan;
    this.#scans.set(key, scan);
    const [oldest] = this.#scans.keys();
    if (this.#scans.size > MOST && oldest !== undefined) this.#scans.delete(oldest);
    return scan;
  }
}
