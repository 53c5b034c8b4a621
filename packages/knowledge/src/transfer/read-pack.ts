import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { READ_LIMITS } from "../documents/reading.js";
import { locateIn } from "../documents/source-map.js";
import type { Question } from "../evaluation/questions.js";
import {
  damaged,
  FORM,
  type Manifest,
  type PackedChunk,
  type PackedDocument,
  readLine,
  tooLarge,
  tooNew,
} from "./pack-format.js";

/** The number of bytes per read. */
const PIECE = 65_536;
const MAX_LINE_LENGTH = 32_000_000;
/** The maximum compression ratio. Exports stay below it; a higher ratio is a decompression bomb. */
const MAX_RATIO = 150;
const FREE_BYTES = 64_000_000;

/** An open file with its display path. */
export interface PackFile {
  readonly handle: FileHandle;
  readonly path: string;
  readonly size: number;
  readonly maxDocuments: number;
  readonly signal: AbortSignal;
}

/** Receives the content of a pack in order. */
export interface PackListener {
  manifest?(manifest: Manifest): Promise<void> | void;
  document?(document: PackedDocument, text: string, chunks: readonly PackedChunk[]): Promise<void> | void;
  question?(question: Question): Promise<void> | void;
}

/** Reads and validates a whole pack. Throws at the latest at its end if something is wrong. */
export async function readPack(file: PackFile, listener: PackListener): Promise<Manifest> {
  const { path } = file;
  const reading = new PackReading(file, listener);
  for await (const line of linesOf(file)) await reading.take(line);
  if (reading.manifest === undefined || !reading.isEnded) throw damaged(path, "it is truncated");
  return reading.manifest;
}

class PackReading {
  readonly #file: PackFile;
  readonly #listener: PackListener;
  readonly #hash = createHash("sha256");
  readonly #sources = new Set<string>();
  #open: { document: PackedDocument; texts: string[]; length: number; chunks: PackedChunk[] } | undefined;
  #documents = 0;
  #chunks = 0;
  manifest: Manifest | undefined;
  isEnded = false;

  constructor(file: PackFile, listener: PackListener) {
    this.#file = file;
    this.#listener = listener;
  }

  async take(line: string): Promise<void> {
    const { path, signal, maxDocuments } = this.#file;
    signal.throwIfAborted();
    if (this.isEnded) throw damaged(path, "it has data after its end");
    const read = readLine(line);
    if (this.manifest === undefined) {
      if (read === undefined || !("manifest" in read)) throw damaged(path, "it is not an export of a knowledge base");
      if (read.manifest.kbpack > FORM) throw tooNew(path, read.manifest.kbpack, FORM);
      this.manifest = read.manifest;
      if (read.manifest.version.documents > maxDocuments)
        throw tooLarge(
          path,
          `it has ${read.manifest.version.documents} documents, more than maxDocuments (${maxDocuments})`,
        );
      await this.#listener.manifest?.(read.manifest);
    } else if (read === undefined || "manifest" in read) throw damaged(path, "a line is invalid");
    else if ("document" in read) {
      await this.#close();
      if (this.#sources.has(read.document.source)) throw damaged(path, "it contains a document twice");
      this.#sources.add(read.document.source);
      this.#open = { document: read.document, texts: [], length: 0, chunks: [] };
    } else if ("text" in read) this.#takeText(read.text);
    else if ("chunks" in read) this.#takeChunks(read.chunks);
    else if ("question" in read) {
      await this.#close();
      await this.#listener.question?.(read.question);
    } else {
      await this.#close();
      const { documents, chunks, sha256 } = read.end;
      if (sha256 !== this.#hash.digest("hex")) throw damaged(path, "its checksum does not match its content");
      if (documents !== this.#documents || chunks !== this.#chunks)
        throw damaged(path, "its counts do not match its content");
      this.isEnded = true;
      return;
    }
    this.#hash.update(line).update("\n");
  }

  #takeText(text: string): void {
    const { path } = this.#file;
    if (this.#open === undefined) throw damaged(path, "a text belongs to no document");
    this.#open.length += text.length;
    if (this.#open.length > READ_LIMITS.characters) throw tooLarge(path, "a document is too long");
    this.#open.texts.push(text);
  }

  #takeChunks(chunks: readonly PackedChunk[]): void {
    const open = this.#open;
    if (open === undefined) throw damaged(this.#file.path, "passages belong to no document");
    for (const chunk of chunks) {
      if (chunk.first > chunk.last || chunk.last > open.length)
        throw damaged(this.#file.path, "a passage is outside of its document");
      open.chunks.push(chunk);
    }
  }

  async #close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    const { document, texts, chunks } = open;
    if (texts.length !== document.parts || chunks.length !== document.chunks)
      throw damaged(this.#file.path, "a document is incomplete");
    if (!isMap(document.map)) throw damaged(this.#file.path, "a document has an invalid source map");
    this.#documents += 1;
    this.#chunks += chunks.length;
    await this.#listener.document?.(document, texts.join(""), chunks);
  }
}

function isMap(map: string): boolean {
  try {
    const { line_start: first, line_end: last } = locateIn(Buffer.from(map, "base64"))(0, 1);
    return Number.isSafeInteger(first) && Number.isSafeInteger(last);
  } catch {
    return false;
  }
}

async function* linesOf({ handle, path, size, signal }: PackFile): AsyncGenerator<string, void> {
  const source = Readable.from(bytesOf(handle));
  const unpacked = source.pipe(createGunzip());
  // `pipe` does not forward errors.
  source.on("error", (error) => unpacked.destroy(error));
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let total = 0;
  // Parts of a line are joined once, at its end.
  let pieces: string[] = [];
  let length = 0;
  try {
    for await (const bytes of unpacked as AsyncIterable<Uint8Array>) {
      total += bytes.length;
      if (total > Math.max(FREE_BYTES, size * MAX_RATIO))
        throw tooLarge(path, `it unpacks to more than ${total} bytes`);
      const [first = "", ...rest] = decoder.decode(bytes, { stream: true }).split("\n");
      pieces.push(first);
      length += first.length;
      if (length > MAX_LINE_LENGTH) throw tooLarge(path, "a line is too long");
      const last = rest.pop();
      if (last === undefined) continue;
      yield pieces.join("");
      yield* rest;
      pieces = [last];
      length = last.length;
    }
  } catch (error) {
    signal.throwIfAborted();
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof TypeError || code?.startsWith("Z_")) throw damaged(path, "it cannot be decompressed");
    throw error;
  } finally {
    source.destroy();
    unpacked.destroy();
  }
  if (length > 0) throw damaged(path, "it is truncated");
}

/** Reads from the start each time and keeps the handle open, because a pack is read twice. */
async function* bytesOf(handle: FileHandle): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(PIECE), 0, PIECE, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
