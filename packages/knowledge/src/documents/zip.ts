import { roomFor } from "../large-buffer.js";
import { type ReadLimits, UnreadableDocument } from "./reading.js";

/** Archives with more are not documents. */
const MOST_ENTRIES = 20_000;

/** Unpacks the wanted files of a ZIP archive; what its tables say about sizes is checked. */
export async function unzip(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
  { unpackedBytes }: ReadLimits,
): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  try {
    const { fromBufferPromise } = await import("yauzl");
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const archive = await fromBufferPromise(buffer, { lazyEntries: true });
    let [entries, left] = [0, unpackedBytes];
    for await (const entry of archive.eachEntry()) {
      if ((entries += 1) > MOST_ENTRIES) throw new UnreadableDocument(`it has more than ${MOST_ENTRIES} files in it`);
      if (!isWanted(entry.fileName) || found.has(entry.fileName)) continue;
      if (entry.isEncrypted()) throw new UnreadableDocument("it is encrypted with a password");
      // The reader ends with a fault where there is more or less than this.
      const size = entry.uncompressedSize;
      if ((left -= size) < 0) throw new UnreadableDocument(`it unpacks to more than ${unpackedBytes} bytes`);
      const unpacked = Buffer.allocUnsafeSlow(roomFor(size)).subarray(0, size);
      let length = 0;
      for await (const part of await archive.openReadStreamPromise(entry))
        length += (part as Buffer).copy(unpacked, length);
      found.set(entry.fileName, unpacked);
    }
  } catch (error) {
    if (error instanceof UnreadableDocument) throw error;
    throw new UnreadableDocument(
      `it is a broken ZIP archive: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return found;
}
