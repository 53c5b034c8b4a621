import { pipeline, Readable } from "node:stream";
import { createInflate } from "node:zlib";
import { type ReadLimits, UnreadableDocument } from "./reading.js";

/** How much of a file stands before a stream to say what it is. */
const LONGEST_DICTIONARY = 2048;
/** What deflate can make of a byte at most. */
const LARGEST_GROWTH = 1032;
const PIECE = 65_536;
const MOST_LAYERS = 4;

/**
 * Refuses a PDF with a stream that unpacks to more than may be. The PDF reader would unpack it whole, in memory that no limit of a
 * thread covers. Pictures are not unpacked for their text.
 */
export async function refusePdfBombs(bytes: Uint8Array, { unpackedBytes }: ReadLimits): Promise<void> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = file.indexOf("stream"); at !== -1; at = file.indexOf("stream", at + 6)) {
    if (file.toString("latin1", at - 3, at) === "end") continue;
    const before = file.toString("latin1", Math.max(0, at - LONGEST_DICTIONARY), at);
    const dictionary = before.slice(before.lastIndexOf(" obj"));
    const layers = dictionary.match(/\/Fl(?:ateDecode)?\b/g)?.length ?? 0;
    if (layers === 0 || /\/Subtype\s{0,9}\/Image/.test(dictionary)) continue;
    const start = at + 6 + (file[at + 6] === 13 ? 1 : 0) + (file[at + 6] === 10 || file[at + 7] === 10 ? 1 : 0);
    const end = file.indexOf("endstream", start);
    const length = (end === -1 ? file.length : end) - start;
    if (layers === 1 && length * LARGEST_GROWTH <= unpackedBytes / 2) continue;
    if (await isLarger(file.subarray(start), layers, unpackedBytes / 2))
      throw new UnreadableDocument(`a part of it unpacks to more than ${unpackedBytes / 2} bytes`);
  }
}

class TooLarge extends Error {}

/** Whether bytes unpack to more than a number of bytes, in any of their layers: what comes out is counted and thrown away. */
async function isLarger(packed: Buffer, layers: number, most: number): Promise<boolean> {
  let parts: Iterable<Buffer> | AsyncIterable<Buffer> = piecesOf(packed);
  for (let layer = 0; layer < Math.min(layers, MOST_LAYERS); layer += 1) parts = unpack(parts, most);
  try {
    for await (const _ of parts);
    return false;
  } catch (error) {
    // What is broken is unpacked as far as it can be, and that was counted.
    return error instanceof TooLarge;
  }
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

async function* unpack(packed: Iterable<Buffer> | AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  const inflate = createInflate({ chunkSize: PIECE });
  pipeline(Readable.from(packed), inflate, () => {});
  let count = 0;
  for await (const part of inflate) {
    count += (part as Buffer).length;
    if (count > most) throw new TooLarge();
    yield part as Buffer;
  }
}
