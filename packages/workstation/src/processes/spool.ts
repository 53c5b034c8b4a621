import { type FileHandle, open, rm } from "node:fs/promises";
import path from "node:path";
import { wholeBytes } from "@toolwright/kit/files";

/** How much of one output is kept. */
export interface SpoolLimits {
  /** Bytes of one file. */
  readonly segmentBytes: number;
  /** How many of the first files are kept. */
  readonly head: number;
  /** How many of the last ones are kept. */
  readonly tail: number;
}

/** The first 2 MiB and about the last 6 MiB. */
const DEFAULT_LIMITS: SpoolLimits = { segmentBytes: 1024 * 1024, head: 2, tail: 6 };

/** A part of the output. */
export interface SpoolPart {
  /** Where the text starts: later than requested if that part is not kept any more. */
  readonly offset: number;
  readonly text: string;
  readonly nextOffset: number;
}

interface Segment {
  readonly file: string;
  readonly start: number;
  bytes: number;
}

/** A growing text, of which the first and last part are kept in files. Offsets count bytes and never change. */
export class Spool {
  readonly #path: string;
  readonly #limits: SpoolLimits;
  #segments: Segment[] = [];
  #fileCount = 0;
  #handle: FileHandle | undefined;
  #pending: Promise<void> = Promise.resolve();
  #error: string | undefined;
  /** How many bytes were written in all. */
  bytes = 0;

  constructor(folder: string, name: string, limits: SpoolLimits = DEFAULT_LIMITS) {
    this.#path = path.join(folder, name);
    this.#limits = limits;
  }

  /** Why nothing more is stored, such as a full disk. */
  get error(): string | undefined {
    return this.#error;
  }

  /** Adds text. If the disk is full, the text is lost, and the program continues. */
  write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    this.#pending = this.#pending
      .then(() => this.#write(bytes))
      .catch((error: Error) => {
        this.#error ??= error.message;
      });
    return this.#pending;
  }

  async #write(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length && this.#error === undefined; ) {
      const segment = await this.#current();
      const part = bytes.subarray(at, at + this.#limits.segmentBytes - segment.bytes);
      await this.#handle?.write(part, 0, part.length, segment.bytes);
      segment.bytes += part.length;
      this.bytes += part.length;
      at += part.length;
    }
  }

  /** The last file, or a new one if that is full. */
  async #current(): Promise<Segment> {
    const last = this.#segments.at(-1);
    if (last !== undefined && last.bytes < this.#limits.segmentBytes) return last;
    await this.#handle?.close();
    this.#handle = undefined;
    const file = `${this.#path}-${this.#fileCount}.log`;
    this.#handle = await open(file, "wx", 0o600);
    this.#fileCount += 1;
    const next = { file, start: this.bytes, bytes: 0 };
    this.#segments.push(next);
    const { head, tail } = this.#limits;
    if (this.#segments.length > head + tail) {
      const [old] = this.#segments.splice(head, 1);
      if (old !== undefined) await rm(old.file, { force: true });
    }
    return next;
  }

  /** Reads from an offset; a negative one counts from the end. Waits for pending writes, so that no file is removed meanwhile. */
  read(from: number, maxBytes: number): Promise<SpoolPart> {
    const part = this.#pending.then(() => this.#read(from, maxBytes));
    this.#pending = part.then(
      () => undefined,
      () => undefined,
    );
    return part;
  }

  async #read(from: number, maxBytes: number): Promise<SpoolPart> {
    const start = from < 0 ? Math.max(0, this.bytes + from) : Math.min(from, this.bytes);
    const pieces: Buffer[] = [];
    let offset = start;
    let next = start;
    for (const segment of this.#segments) {
      const end = segment.start + segment.bytes;
      if (end <= next) continue;
      if (segment.start > next && pieces.length > 0) break;
      if (pieces.length === 0) offset = next = Math.max(next, segment.start);
      const piece = await readPart(
        segment.file,
        next - segment.start,
        Math.min(end - next, maxBytes - (next - offset)),
      );
      pieces.push(piece);
      next += piece.length;
      if (next - offset >= maxBytes || piece.length === 0) break;
    }
    return wholeCharacters(Buffer.concat(pieces), offset);
  }

  /** Ends writing. The text can still be read. */
  async close(): Promise<void> {
    await this.#pending;
    await this.#handle?.close();
    this.#handle = undefined;
  }

  /** Removes the files. */
  async remove(): Promise<void> {
    await this.close();
    const files = this.#segments.map(({ file }) => file);
    this.#segments = [];
    await Promise.all(files.map((file) => rm(file, { force: true })));
  }
}

async function readPart(file: string, position: number, length: number): Promise<Buffer> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Removes partial characters at both ends, so that the next read starts with a whole one. */
function wholeCharacters(bytes: Buffer, offset: number): SpoolPart {
  let from = 0;
  while (from < Math.min(3, bytes.length) && isContinuation(bytes[from])) from += 1;
  // If there is no whole character, the part is returned, because a reader must make progress.
  const to = from + (wholeBytes(bytes.subarray(from), "utf-8") || bytes.length - from);
  return { offset: offset + from, text: bytes.toString("utf8", from, to), nextOffset: offset + to };
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
