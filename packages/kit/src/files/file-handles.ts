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
export function readFileSync(realPath: string, most: number): FileContents | undefined {
  try {
    // Opening a device or a pipe can have effects of its own, so it is looked at before.
    if (!lstatSync(realPath).isFile()) return undefined;
    const file = openSync(realPath, READ);
    try {
      const stats = fstatSync(file);
      if (!stats.isFile() || stats.size > most || !liesAt(realPath, file)) return undefined;
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
function liesAt(realPath: string, file: number): boolean {
  if (hasProcFd) return readlinkSync(`${PROC_FD}/${file}`) === realPath;
  const [there, opened] = [lstatSync(realPath, { bigint: true }), fstatSync(file, { bigint: true })];
  return realpathSync.native(realPath) === realPath && there.ino === opened.ino && there.dev === opened.dev;
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
  inputPath: string,
  handle: FileHandle,
  realPath: string,
  { tells = hasProcFd } = {},
): Promise<string> {
  const real = tells ? await readlink(`${PROC_FD}/${handle.fd}`) : await realpath(realPath);
  if (tells && !real.endsWith(GONE)) return real;
  const [there, opened] = await Promise.all([
    lstat(real, { bigint: true }).catch(() => undefined),
    handle.stat({ bigint: true }),
  ]);
  if (there?.ino !== opened.ino || there.dev !== opened.dev) throw changedMeanwhile(inputPath);
  return real;
}

/** A folder that is held open, so that its entries are found in it even if its path leads elsewhere by now. */
export class OpenFolder {
  /** The real path it had when it was opened. */
  readonly realPath: string;
  // Windows does not open folders.
  readonly #handle: FileHandle | undefined;

  private constructor(realPath: string, handle: FileHandle | undefined) {
    this.realPath = realPath;
    this.#handle = handle;
  }

  /** Opens a folder that is no link. `shown` is its path where `place` is a way to it through another open folder. */
  static async open(inputPath: string, systemPath: string, realPath: string = systemPath): Promise<OpenFolder> {
    if (process.platform === "win32") {
      const stats = await lstat(realPath);
      if (!stats.isDirectory()) throw wrongKind(inputPath, entryKind(stats).words, "a folder");
      return new OpenFolder(await realpath(realPath), undefined);
    }
    const handle = await open(realPath, FOLDER).catch(async (error: NodeJS.ErrnoException) => {
      // A link in this place was not there a moment ago; which of the two errors it gives differs between systems.
      const stats = await lstat(realPath).catch(() => undefined);
      if (stats?.isSymbolicLink()) throw changedMeanwhile(inputPath);
      if (error.code === "ENOTDIR" && stats !== undefined)
        throw wrongKind(inputPath, entryKind(stats).words, "a folder");
      throw error;
    });
    try {
      return new OpenFolder(await realPathOf(inputPath, handle, realPath), handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The path of the folder itself for the system: through the handle where that is possible. */
  get path(): string {
    return this.#handle !== undefined && hasProcFd ? `${PROC_FD}/${this.#handle.fd}` : this.realPath;
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
  readonly realPath: string;
  readonly stats: Stats;
}

/** Opens what a real path leads to, and makes sure that it is a regular file inside the bounds before a byte of it is read. */
export async function openRegular(bounds: AccessBounds, inputPath: string, realPath: string): Promise<OpenFile> {
  // Opening a device or a pipe can have effects of its own, so it is looked at before.
  refuseSpecial(inputPath, await lstat(realPath));
  const handle = await open(realPath, READ).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ELOOP" ? changedMeanwhile(inputPath) : error;
  });
  try {
    const stats = await handle.stat();
    refuseSpecial(inputPath, stats);
    const real = await realPathOf(inputPath, handle, realPath);
    checkAccess(bounds, inputPath, real);
    return { handle, realPath: real, stats, [Symbol.asyncDispose]: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function refuseSpecial(inputPath: string, stats: Stats): void {
  if (stats.isSymbolicLink()) throw changedMeanwhile(inputPath);
  if (!stats.isFile()) throw wrongKind(inputPath, entryKind(stats).words, "a regular file");
}
