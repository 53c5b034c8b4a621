import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";

const { O_APPEND, O_CREAT, O_RDWR } = constants;
/** Windows has none. */
const O_NOFOLLOW = (constants as { readonly O_NOFOLLOW?: number }).O_NOFOLLOW ?? 0;

/** A file that is open at its end. */
export interface OpenPlace {
  readonly handle: FileHandle;
  readonly bytes: number;
  /** Its last line was not written to its end, by a process that was killed or a disk that was full. */
  readonly isTorn: boolean;
}

/** Opens a file for lines that are added at its end, and makes it, for its owner alone, where there is none. */
export async function openPlace(file: string): Promise<OpenPlace> {
  const fault = await faultOf(file);
  if (fault !== undefined) throw new Error(fault);
  const handle = await open(file, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW, 0o600);
  try {
    const { size } = await handle.stat();
    return { handle, bytes: size, isTorn: size > 0 && !(await endsLine(handle, size)) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Only a file of one's own: a link could lead to one that must not grow, and a pipe would never let go. */
async function faultOf(file: string): Promise<string | undefined> {
  const found = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (found === undefined || found.isFile()) return undefined;
  if (found.isSymbolicLink()) return "it is a symbolic link; name the file itself";
  return found.isDirectory() ? "it is a folder; name a file in it" : "it is no regular file";
}

async function endsLine(handle: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === 0x0a;
}
