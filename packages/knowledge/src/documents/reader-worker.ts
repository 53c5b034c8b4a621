import { parentPort } from "node:worker_threads";
import { type ChunkOptions, cutDocument } from "../chunks/chunk.js";
import type { Passage } from "../chunks/passage.js";
import { bufferSize } from "../large-buffer.js";
import { kindOfFile } from "./kind.js";
import type { FileToRead } from "./make-reading.js";
import { type PackedParts, packText } from "./packed-text.js";
import { readDocument } from "./read-document.js";
import { type Reading, type ReadLimits, UnreadableDocument } from "./reading.js";

/** A request to the thread: read a file. */
export interface ReadJob {
  readonly id: number;
  readonly file: FileToRead;
  readonly limits: ReadLimits;
  /** If set, passages are returned instead of blocks. */
  readonly cut?: ChunkOptions | undefined;
}

/** A reading in transferable form, with a large text packed. */
export interface SentReading extends Omit<Reading, "locate" | "text"> {
  readonly text: string | PackedParts;
}

/** The reply of the thread: a reading, or the reason why there is none. */
export interface ReadAnswer {
  readonly id: number;
  readonly reading?: SentReading;
  /** Set if they were requested. */
  readonly passages?: readonly Passage[];
  readonly reason?: string;
  /** The thread must be replaced: the failure may have left a parser in an invalid state. */
  readonly isSpent?: true;
}

parentPort?.on("message", (job: ReadJob) => {
  void answer(job).then((result) => parentPort?.postMessage(result, ownBuffers(result)));
});

// Parsers can reject promises that no call awaits.
process.on("unhandledRejection", () => {});

/** Buffers grow by doubling: the next size would exceed the memory limit of a document. */
const MAX_BUFFER_BYTES = 2 ** 25;

/** Longer texts are packed. */
const LARGE = 500_000;

/** The buffers that are transferred instead of copied. */
function ownBuffers({ reading }: ReadAnswer): ArrayBuffer[] {
  if (reading === undefined || typeof reading.text === "string") return [];
  return [...new Set(reading.text.parts.map(({ buffer }) => buffer))];
}

async function answer(job: ReadJob): Promise<ReadAnswer> {
  if (!isPdf(job)) return readJob(job);
  const { result, wasRefused } = await withLimitedBuffers(MAX_BUFFER_BYTES, () => readJob(job));
  const { id, reading } = result;
  if (!wasRefused || reading !== undefined) return result;
  return { id, reason: `a part of it unpacks to more than ${MAX_BUFFER_BYTES} bytes`, isSpent: true };
}

function isPdf({ file }: ReadJob): boolean {
  try {
    return kindOfFile(file.name, file.bytes) === "pdf";
  } catch {
    return false;
  }
}

async function readJob({ id, file, limits, cut }: ReadJob): Promise<ReadAnswer> {
  try {
    const { locate: _, ...reading } = await readDocument({ ...file, isOwned: true }, limits);
    const passages = cut === undefined ? undefined : cutDocument(reading, cut);
    const text = reading.text.length > LARGE ? packText(reading.text, file.bytes.buffer as ArrayBuffer) : reading.text;
    if (passages === undefined) return { id, reading: { ...reading, text } };
    return { id, reading: { ...reading, text, blocks: [] }, passages };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof UnreadableDocument) return { id, reason };
    return { id, reason: `it could not be read: ${reason}`, isSpent: true };
  }
}

/** Buffers of at least this size are allocated separately. */
const LARGE_ALLOCATION = 2 ** 20;

/** The result of work with a buffer limit. It may be incomplete if a buffer was refused. */
interface LimitedWork<Result> {
  readonly result: Result;
  readonly wasRefused: boolean;
}

/**
 * Runs work with a limit on the size of buffers in this thread. Resource limits of worker threads do not cover buffers, and a PDF
 * parser doubles its buffers while it unpacks.
 */
async function withLimitedBuffers<Result>(maxBytes: number, work: () => Promise<Result>): Promise<LimitedWork<Result>> {
  const { Uint8Array: whole, DecompressionStream: native } = globalThis;
  let wasRefused = false;
  globalThis.Uint8Array = new Proxy(whole, {
    construct(target, parts: ConstructorParameters<Uint8ArrayConstructor>, newTarget) {
      const [first] = parts as readonly unknown[];
      if (typeof first === "number" && first > maxBytes) {
        wasRefused = true;
        throw new RangeError(`no buffer may have more than ${maxBytes} bytes`);
      }
      const room =
        typeof first === "number" && first > LARGE_ALLOCATION ? [new ArrayBuffer(bufferSize(first)), 0, first] : parts;
      return Reflect.construct(target, room, newTarget) as Uint8Array<ArrayBuffer>;
    },
  });
  // `DecompressionStream` uses buffers that cannot be limited. Without it, the PDF parser unpacks in JavaScript.
  Reflect.deleteProperty(globalThis, "DecompressionStream");
  try {
    return { result: await work(), wasRefused };
  } finally {
    globalThis.Uint8Array = whole;
    globalThis.DecompressionStream = native;
  }
}
