import { ToolError } from "@toolwright/engine";
import type { FileAccess, FileContents } from "@toolwright/kit/files";
import type { Source } from "./find-sources.js";

/** What a file held, or why it is skipped. */
export type SourceBytes =
  | (FileContents & { readonly reason?: never })
  | { readonly reason: string; readonly bytes?: never; readonly stats?: never };

/** Reads a file that was found; it may be gone or changed by now. */
export async function readSource(
  reach: FileAccess,
  { place }: Pick<Source, "place">,
  most: number,
): Promise<SourceBytes> {
  const shown = reach.displayPath(place);
  try {
    await using file = await reach.openFileAt(shown, place);
    if (file.stats.size > most) return { reason: `larger than ${inWords(most)}, which is what file_bytes allows` };
    const bytes = new Uint8Array(file.stats.size);
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await reach.withTimeout(shown, () =>
        file.handle.read(bytes, filled, bytes.length - filled, filled),
      );
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return { bytes: bytes.subarray(0, filled), stats: file.stats };
  } catch (error) {
    reach.signal?.throwIfAborted();
    // A disk that hangs concerns all files.
    if (!(error instanceof ToolError) || error.code === "TIMEOUT") throw error;
    return { reason: error.message };
  }
}

const KIB = 1024;

function inWords(bytes: number): string {
  if (bytes >= KIB * KIB) return `${Math.round((bytes / KIB / KIB) * 10) / 10} MiB`;
  return bytes >= KIB ? `${Math.round((bytes / KIB) * 10) / 10} KiB` : `${bytes} bytes`;
}
