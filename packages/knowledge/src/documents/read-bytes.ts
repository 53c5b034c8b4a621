import type { FileHandle } from "node:fs/promises";
import { roomFor } from "../large-buffer.js";
import { kindByName } from "./kind.js";

/** The bytes of a file that has so many of them, in a buffer that is theirs alone. */
export async function readBytes(handle: Pick<FileHandle, "read">, name: string, size: number): Promise<Uint8Array> {
  // What reads PDF makes a copy of what does not fill its buffer.
  const bytes = Buffer.allocUnsafeSlow(kindByName(name) === "pdf" ? size : roomFor(size));
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await handle.read(bytes, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
