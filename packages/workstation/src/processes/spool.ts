import { type FileHandle, open, rm } from "node:fs/promises";
import path from "node:path";
import { wholeBytes } from "@toolwright/kit/files";

/** How much of one output is kept. */
export interface SpoolLimits {
  /** Bytes of one file. */
  readonly segmentBytes: number;
  /** How many of the first files are kept for ever. */
  readonly head: number;
  /** How many of the last ones are kept. */
  readonly tail: number;
}

/** What holds where nothing else is said: the first 2 MiB and the last 6 MiB or so. */
const USUAL: SpoolLimits = { segmentBytes: 1024 * 1024, head: 2, tail: 6 };

/** A part of an output. */
export interface SpoolPart {
  /** Where the text starts; later than was asked for where something is no longer kept. */
  readonly offset: number;
  readonly text: string;
  readonly nextOffset: number;
}

interface Segment {
  readonly file: string;
  readonly start: number;
  bytes: number;
}

/** Text that grows without end, of which the first and the last part are kept in files. Offsets count bytes, and never change. */
export class Spool {
  readonly #path: string;
  readonly #limits: SpoolLimits;
  #segments: Segment[] = [];
  #made = 0;
  #handle: FileHandle | undefined;
  #turn: Promise<void> = Promise.resolve();
  #fault: string | undefined;
  /** How many bytes there were in all. */
  bytes = 0;

  constructor(folder: string, name: string, limits: SpoolLimits = USUAL) {
    this.#path = path.join(folder, name);
    this.#limits = limits;
  }

  /** Why nothing more is kept, such as a full disk; undefined = all is well. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Adds text. A disk that is full loses what comes, not the program that writes it. */
  write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    this.#turn = this.#turn
      .then(() => this.#write(bytes))
      .catch((error: Error) => {
        this.#fault ??= error.message;
      });
    return this.#turn;
  }

  async #write(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length && this.#fault === undefined; ) {
      const segment = await this.#current();
      const part = bytes.subarray(at, at + this.#limits.segmentBytes - segment.bytes);
      await this.#handle?.write(part, 0, part.length, segment.bytes);
      segment.bytes += part.length;
      this.bytes += part.length;
      at += part.length;
    }
  }

  /** The last file, or the next one where that is full. */
  async #current(): Promise<Segment> {
    const last = this.#segments.at(-1);
    if (last !== undefined && last.bytes < this.#limits.segmentBytes) return last;
    await this.#handle?.close();
    this.#handle = undefined;
    const file = `${this.#path}-${this.#made}.log`;
    this.#handle = await open(file, "wx", 0o600);
    this.#made += 1;
    const next = { file, start: this.bytes, bytes: 0 };
    this.#segments.push(next);
    const { head, tail } = this.#limits;
    if (this.#segments.length > head + tail) {
      const [old] = this.#segments.splice(head, 1);
      if (old !== undefined) await rm(old.file, { force: true });
    }
    return next;
  }

  /** Reads from an offset on; a negative one counts from the end. It waits for its turn, so that no file goes meanwhile. */
  read(from: number, most: number): Promise<SpoolPart> {
    const part = this.#turn.then(() => this.#read(from, most));
    this.#turn = part.then(
      () => undefined,
      () => undefined,
    );
    return part;
  }

  async #read(from: number, most: number): Promise<SpoolPart> {
    const start = from < 0 ? Math.max(0, this.bytes + from) : Math.min(from, this.bytes);
    const pieces: Buffer[] = [];
    let offset = start;
    let next = start;
    for (const segment of this.#segments) {
      const end = segment.start + segment.bytes;
      if (end <= next) continue;
      if (segment.start > next && pieces.length > 0) break;
      if (pieces.length === 0) offset = next = Math.max(next, segment.start);
      const piece = await readPart(segment.file, next - segment.start, Math.min(end - next, most - (next - offset)));
      pieces.push(piece);
      next += piece.length;
      if (next - offset >= most || piece.length === 0) break;
    }
    return wholeCharacters(Buffer.concat(pieces), offset);
  }

  /** Ends writing; what is there stays to be read. */
  async close(): Promise<void> {
    await this.#turn;
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

/** Leaves out the parts of characters at both ends, so that the next read goes on with a whole one. */
function wholeCharacters(bytes: Buffer, offset: number): SpoolPart {
  let from = 0;
  while (from < Math.min(3, bytes.length) && isContinuation(bytes[from])) from += 1;
  // Where not even one is whole, its part is given all the same: a reader must get further.
  const to = from + (wholeBytes(bytes.subarray(from), "utf-8") || bytes.length - from);
  return { offset: offset + from, text: bytes.toString("utf8", from, to), nextOffset: offset + to };
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
