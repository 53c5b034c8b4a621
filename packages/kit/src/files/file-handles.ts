import { randomBytes } from "node:crypto";
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
import { type FileHandle, link, lstat, open, readlink, realpath, rename, unlink } from "node:fs/promises";
import path from "node:path";
import { changedMeanwhile, deniedPath, wrongKind } from "./errors.js";
import type { OpenEntry } from "./file-access.js";
import { entryKind } from "./file-stats.js";
import { type AccessBounds, checkAccess } from "./paths.js";

/** Where the system shows what a process has open; a name below it is looked up in the folder that is open. */
const PROC_FD = "/proc/self/fd";

/** Whether the system shows that. */
const hasProcFd = process.platform === "linux" && existsSync(PROC_FD);

/** How files are opened for reading: never through a link, and without waiting for who writes a pipe. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0) | (constants.O_NOFOLLOW ?? 0);

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

/** How a file is written. */
export interface WriteOptions {
  /** The permissions; by default those of what is replaced, or what the system gives to new files. */
  readonly mode?: number;
  /** Refuses to replace anything. */
  readonly expect?: "absent";
  /** The name of the file that is written first, for those who have noted it before; a new one by default. */
  readonly temporary?: string;
  /** The last look before the old content goes: what it throws keeps the file as it is. */
  readonly check?: () => Promise<void>;
}

/** A name for a file that is there only while another is written; whoever finds it after a crash may remove it. */
export const temporaryName = (): string => `.toolwright-${randomBytes(8).toString("hex")}.tmp`;

/**
 * Replaces a file, or makes it, so that at each moment and after a crash it is entirely old or entirely new. What is written is
 * on the disk when it returns. Faults of the system are thrown as they are.
 */
export async function writeAtomically(entry: OpenEntry, bytes: Uint8Array, options: WriteOptions = {}): Promise<void> {
  const old = await lstat(entry.path).catch(absent);
  if (old !== undefined) refuseUnwritable(entry, old);
  const temporary = entry.folder.at(options.temporary ?? temporaryName());
  // What the system gives to new files depends on the process; it is asked for where no mode is known.
  const mode = options.mode ?? old?.mode;
  const handle = await open(temporary, "wx", mode === undefined ? 0o666 : 0o600);
  try {
    try {
      await handle.writeFile(bytes);
      if (old !== undefined) await keepOwner(handle, old);
      if (mode !== undefined) await handle.chmod(mode & 0o7777);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await options.check?.();
    await (options.expect === "absent" ? putWhereNothingIs(temporary, entry.path) : rename(temporary, entry.path));
  } catch (error) {
    await unlink(temporary).catch(absent);
    throw error;
  }
  await entry.folder.sync();
}

function refuseUnwritable({ realPath }: OpenEntry, old: Stats): void {
  if (old.isSymbolicLink()) throw changedMeanwhile(realPath);
  if (!old.isFile()) throw wrongKind(realPath, entryKind(old).words, "a regular file");
  // A rename would replace it all the same: the folder decides on that, not the file.
  if ((old.mode & 0o222) === 0) throw deniedPath(realPath, "the file is read-only. Make it writable first");
}

/** A server that runs as root must not take files away from their owners; others cannot give any away. */
async function keepOwner(handle: FileHandle, { uid, gid }: Stats): Promise<void> {
  const own = await handle.stat();
  if (own.uid === uid && own.gid === gid) return;
  await handle.chown(uid, gid).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EPERM" && error.code !== "ENOSYS") throw error;
  });
}

/** A second name for the file fails where something is; a rename would replace it. Not every disk has second names. */
async function putWhereNothingIs(temporary: string, wanted: string): Promise<void> {
  try {
    await link(temporary, wanted);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS" && code !== "EMLINK") throw error;
    if ((await lstat(wanted).catch(absent)) !== undefined) throw occupied(wanted);
    await rename(temporary, wanted);
    return;
  }
  await unlink(temporary);
}

const occupied = (wanted: string): Error =>
  Object.assign(new Error(`EEXIST: file already exists, '${wanted}'`), { code: "EEXIST" });

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
  return undefined;
}
