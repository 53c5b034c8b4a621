import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { entryKind } from "./entry-kind.js";
import { changedMeanwhile, wrongKind } from "./errors.js";
import { hasProcFd, PROC_FD } from "./proc-fd.js";

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
