import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, link, lstat, open, rename, unlink } from "node:fs/promises";
import { changedMeanwhile, deniedPath, wrongKind } from "./errors.js";
import type { OpenEntry } from "./file-access.js";
import { entryKind } from "./file-stats.js";

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
