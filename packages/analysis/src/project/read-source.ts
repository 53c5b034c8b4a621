import { ToolError } from "@toolwright/engine";
import type { FileAccess, FileContents } from "@toolwright/kit/files";

/** The content of a file, or why it is skipped. */
export type SourceBytes =
  | (FileContents & { readonly reason?: never })
  | { readonly reason: string; readonly bytes?: never; readonly stats?: never };

/** Reads a file that a search has found. It may have changed or gone since. */
export async function readSource(access: FileAccess, realPath: string, maxBytes: number): Promise<SourceBytes> {
  const displayPath = access.displayPath(realPath);
  try {
    await using file = await access.openFileAt(displayPath, realPath);
    if (file.stats.size > maxBytes) return { reason: `larger than ${formatBytes(maxBytes)}` };
    const bytes = new Uint8Array(file.stats.size);
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await access.withTimeout(displayPath, () =>
        file.handle.read(bytes, filled, bytes.length - filled, filled),
      );
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return { bytes: bytes.subarray(0, filled), stats: file.stats };
  } catch (error) {
    access.signal?.throwIfAborted();
    // A disk that does not respond affects all files.
    if (!(error instanceof ToolError) || error.code === "TIMEOUT") throw error;
    return { reason: error.message };
  }
}

const KIB = 1024;

function formatBytes(bytes: number): string {
  if (bytes >= KIB * KIB) return `${Math.round((bytes / KIB / KIB) * 10) / 10} MiB`;
  return bytes >= KIB ? `${Math.round((bytes / KIB) * 10) / 10} KiB` : `${bytes} bytes`;
}
