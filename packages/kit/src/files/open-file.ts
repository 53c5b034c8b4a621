import type { Stats } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { type AccessBounds, checkAccess } from "./bounds.js";
import { entryKind } from "./entry-kind.js";
import { changedMeanwhile, wrongKind } from "./errors.js";
import { realPathOf } from "./open-folder.js";
import { READ } from "./read-file-sync.js";

/** A regular file, open for reading, of which it is certain where it lies. */
export interface OpenFile extends AsyncDisposable {
  readonly handle: FileHandle;
  /** The real path. */
  readonly place: string;
  readonly stats: Stats;
}

/** Opens what a real path leads to, and makes sure that it is a regular file inside the bounds before a byte of it is read. */
export async function openRegular(bounds: AccessBounds, given: string, place: string): Promise<OpenFile> {
  // Opening a device or a pipe can have effects of its own, so it is looked at before.
  refuseSpecial(given, await lstat(place));
  const handle = await open(place, READ).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ELOOP" ? changedMeanwhile(given) : error;
  });
  try {
    const stats = await handle.stat();
    refuseSpecial(given, stats);
    const real = await realPathOf(given, handle, place);
    checkAccess(bounds, given, real);
    return { handle, place: real, stats, [Symbol.asyncDispose]: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function refuseSpecial(given: string, stats: Stats): void {
  if (stats.isSymbolicLink()) throw changedMeanwhile(given);
  if (!stats.isFile()) throw wrongKind(given, entryKind(stats).words, "a regular file");
}
