import { type FileHandle, stat } from "node:fs/promises";

/** Whether a name still leads to the file that is open: somebody may have renamed or removed it. */
export async function isInPlace(handle: FileHandle, file: string): Promise<boolean> {
  const [held, named] = await Promise.all([handle.stat(), stat(file).catch(() => undefined)]);
  return named !== undefined && named.ino === held.ino && named.dev === held.dev;
}
