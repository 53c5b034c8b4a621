import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { changedMeanwhile, wrongKind } from "./errors.js";
import { entryKind } from "./file-stats.js";
import { type AccessBounds, checkAccess } from "./path-bounds.js";

/** Where the system shows what a process has open; a name below it is looked up in the folder that is open. */
export const PROC_FD = "/proc/self/fd";

/** Whether the system shows that. */
export const hasProcFd = process.platform === "linux" && existsSync(PROC_FD);

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

/** How Linux marks the path of what was removed; a name may end so, too. */
const GONE = " (deleted)";

const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Where something that is open really lies: by the handle where the system tells. Elsewhere its path is looked up again, and must
 * lead to the same thing.
 */
export async function realPathOf(
  given: string,
  handle: FileHandle,
  place: string,
  { tells = hasProcFd } = {},
): Promise<string> {
  const real = tells ? await readlink(`${PROC_FD}/${handle.fd}`) : await realpath(place);
  if (tells && !real.endsWith(GONE)) return real;
  const [there, opened] = await Promise.all([
    lstat(real, { bigint: true }).catch(() => undefined),
    handle.stat({ bigint: true }),
  ]);
  if (there?.ino !== opened.ino || there.dev !== opened.dev) throw changedMeanwhile(given);
  return real;
}

/** A folder that is held open, so that its entries are found in it even if its path leads elsewhere by now. */
export class OpenFolder {
  /** The real path it had when it was opened. */
  readonly place: string;
  // Windows does not open folders.
  readonly #handle: FileHandle | undefined;

  private constructor(place: string, handle: FileHandle | undefined) {
    this.place = place;
    this.#handle = handle;
  }

  /** Opens a folder that is no link. `shown` is its path where `place` is a way to it through another open folder. */
  static async open(given: string, place: string, shown: string = place): Promise<OpenFolder> {
    if (process.platform === "win32") {
      const stats = await lstat(place);
      if (!stats.isDirectory()) throw wrongKind(given, entryKind(stats).words, "a folder");
      return new OpenFolder(await realpath(place), undefined);
    }
    const handle = await open(place, FOLDER).catch(async (error: NodeJS.ErrnoException) => {
      // A link in this place was not there a moment ago; which of the two errors it gives differs between systems.
      const stats = await lstat(place).catch(() => undefined);
      if (stats?.isSymbolicLink()) throw changedMeanwhile(given);
      if (error.code === "ENOTDIR" && stats !== undefined) throw wrongKind(given, entryKind(stats).words, "a folder");
      throw error;
    });
    try {
      return new OpenFolder(await realPathOf(given, handle, shown), handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The path of the folder itself for the system: through the handle where that is possible. */
  get path(): string {
    return this.#handle !== undefined && hasProcFd ? `${PROC_FD}/${this.#handle.fd}` : this.place;
  }

  /** The path of an entry for the system. */
  at(name: string): string {
    return `${this.path}${path.sep}${name}`;
  }

  /** Has the names of its entries written to the disk, as far as the system does that. */
  async sync(): Promise<void> {
    await this.#handle?.sync().catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EINVAL" && error.code !== "EISDIR") throw error;
    });
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

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
