import { ToolError } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import { readBytes } from "../documents/read-bytes.js";
import { tooLarge } from "../documents/reading.js";
import type { Source } from "./source.js";

/** A document's bytes, or why it has none. */
export interface Loaded {
  readonly source: Source;
  readonly bytes?: Uint8Array;
  readonly modifiedAt?: string | undefined;
  readonly reason?: string;
  /** Nothing is wrong with it but its size. */
  readonly isTooLarge?: true;
}

/** How many files are opened ahead of those that are worked on; larger ones wait for their turn, so that few are held at once. */
const AHEAD = 8;
const LARGE = 1_000_000;

/** Loads documents one after the other, and small ones a little ahead. */
export async function* load(
  reach: FileAccess | undefined,
  sources: readonly Source[],
  most: number,
): AsyncGenerator<Loaded, void> {
  const started: Promise<Loaded | undefined>[] = [];
  let next = 0;
  try {
    for (const source of sources) {
      while (next < sources.length && started.length < AHEAD) {
        const one = loadOne(reach, sources[next++] as Source, Math.min(most, LARGE), most);
        // Whoever waits for it hears of its failure; until somebody does, it ends nothing.
        one.catch(() => undefined);
        started.push(one);
      }
      yield (await started.shift()) ?? (await loadOne(reach, source, most, most)) ?? { source, reason: "it is gone" };
    }
  } finally {
    await Promise.allSettled(started);
  }
}

/** Undefined = it has more than `now` bytes, and less than `most`. */
async function loadOne(
  reach: FileAccess | undefined,
  source: Source,
  now: number,
  most: number,
): Promise<Loaded | undefined> {
  const { text, place, source: shown } = source;
  if (text !== undefined) return { source, bytes: bytesOf(text) };
  if (reach === undefined || place === undefined) return { source, reason: "it has no content" };
  try {
    await using file = await reach.openFound(shown, place);
    const { size, mtime } = file.stats;
    const reason = tooLarge(size, most);
    if (reason !== undefined) return { source, reason, isTooLarge: true };
    if (size > now) return undefined;
    const bytes = await reach.attempt(shown, () => readBytes(file.handle, shown, size));
    return { source, bytes, modifiedAt: mtime.toISOString() };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { source, reason: error.message };
  }
}

/** In a buffer of their own: those that many small ones share cannot be moved to another thread. */
function bytesOf(text: string): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
