import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { hasProcFd, PROC_FD } from "./proc-fd.js";

/** How files are opened for reading: never through a link, and without waiting for who writes a pipe. */
export const READ =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** What a file held, and what the system said of it before. */
export interface FileContents {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly stats: Pick<Stats, "size" | "mtimeMs" | "ctimeMs" | "ino">;
}

/**
 * Reads a regular file that lies where its real path says, for threads that may wait for a disk: each step that does not go through
 * Node's own threads costs a tenth. Undefined for a file that is larger or not as plain as that: whoever reads it with more care can
 * tell why.
 */
export function readFileSync(place: string, most: number): FileContents | undefined {
  try {
    // Opening a device or a pipe can have effects of its own, so it is looked at before.
    if (!lstatSync(place).isFile()) return undefined;
    const file = openSync(place, READ);
    try {
      const stats = fstatSync(file);
      if (!stats.isFile() || stats.size > most || !liesAt(place, file)) return undefined;
      const { size, mtimeMs, ctimeMs, ino } = stats;
      return { bytes: readBytes(file, size), stats: { size, mtimeMs, ctimeMs, ino } };
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** Whether what is open lies at a place that is no way through links. */
function liesAt(place: string, file: number): boolean {
  if (hasProcFd) return readlinkSync(`${PROC_FD}/${file}`) === place;
  const [there, opened] = [lstatSync(place, { bigint: true }), fstatSync(file, { bigint: true })];
  return realpathSync.native(place) === place && there.ino === opened.ino && there.dev === opened.dev;
}

function readBytes(file: number, size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    const read = readSync(file, bytes, filled, size - filled, filled);
    if (read === 0) break;
    filled += read;
  }
  return bytes.subarray(0, filled);
}
