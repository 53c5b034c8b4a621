import { parentPort } from "node:worker_threads";
import { type ChunkOptions, cutDocument } from "../chunks/chunk.js";
import type { Passage } from "../chunks/passage.js";
import { bufferSize } from "../large-buffer.js";
import { kindOfFile } from "./kind.js";
import type { FileToRead } from "./make-reading.js";
import { type PackedParts, packText } from "./packed-text.js";
import { readDocument } from "./read-document.js";
import { type Reading, type ReadLimits, UnreadableDocument } from "./reading.js";

/** What the thread is asked: to read a file. */
export interface ReadJob {
  readonly id: number;
  readonly file: FileToRead;
  readonly limits: ReadLimits;
  /** Its passages are wanted, and its blocks are not. */
  readonly cut?: ChunkOptions | undefined;
}

/** A reading as it is sent, a large text packed. */
export interface SentReading extends Omit<Reading, "locate" | "text"> {
  readonly text: string | PackedParts;
}

/** What the thread answers: a reading, or why there is none. */
export interface ReadAnswer {
  readonly id: number;
  readonly reading?: SentReading;
  /** Where they were wanted. */
  readonly passages?: readonly Passage[];
  readonly reason?: string;
  /** The thread can no longer be trusted: what failed may have left a parser in any state. */
  readonly isSpent?: true;
}

parentPort?.on("message", (job: ReadJob) => {
  void answer(job).then((result) => parentPort?.postMessage(result, ownBuffers(result)));
});

// What a parser throws outside of the call that made it.
process.on("unhandledRejection", () => {});

/** Buffers double: the one after this would take the memory that a document may. */
const MAX_BUFFER_BYTES = 2 ** 25;

/** The text of a longer one is packed. */
const LARGE = 500_000;

/** What is moved and not copied. */
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

/** From here on a buffer lies apart: the one that it doubles to would leave too much behind. */
const LARGE_ALLOCATION = 2 ** 20;

/** Says that some work was refused a buffer: what it came to is not the whole truth. */
interface LimitedWork<Result> {
  readonly result: Result;
  readonly wasRefused: boolean;
}

/**
 * Does some work for which this thread refuses buffers above a size. The limits that a thread is started with do not cover
 * buffers, and a PDF reader unpacks into ones that double until the memory is full.
 */
async function withLimitedBuffers<Result>(
  mostBytes: number,
  work: () => Promise<Result>,
): Promise<LimitedWork<Result>> {
  const { Uint8Array: whole, DecompressionStream: native } = globalThis;
  let wasRefused = false;
  globalThis.Uint8Array = new Proxy(whole, {
    construct(target, parts: ConstructorParameters<Uint8ArrayConstructor>, newTarget) {
      const [first] = parts as readonly unknown[];
      if (typeof first === "number" && first > mostBytes) {
        wasRefused = true;
        throw new RangeError(`no buffer may have more than ${mostBytes} bytes`);
      }
      const room =
        typeof first === "number" && first > LARGE_ALLOCATION ? [new ArrayBuffer(bufferSize(first)), 0, first] : parts;
      return Reflect.construct(target, room, newTarget) as Uint8Array<ArrayBuffer>;
    },
  });
  // It unpacks into buffers that nobody counts; without it, the PDF reader unpacks by itself.
  Reflect.deleteProperty(globalThis, "DecompressionStream");
  try {
    return { result: await work(), wasRefused };
  } finally {
    globalThis.Uint8Array = whole;
    globalThis.DecompressionStream = native;
  }
}
