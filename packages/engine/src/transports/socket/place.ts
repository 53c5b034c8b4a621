import { type BigIntStats, chmodSync, linkSync, lstatSync, mkdtempSync, renameSync, rmSync, unlinkSync } from "node:fs";
import { connect, type Server } from "node:net";
import path from "node:path";

/** Bytes of a path that the system takes for a socket. */
const MOST_BYTES = process.platform === "linux" ? 107 : 103;
/** The name of a socket before it has its own: inside a folder that nobody else may enter. */
const BIRTHPLACE = ".123456/s";

/** Why a server cannot listen, in words. */
export const cannotListen = (place: string, reason: string, cause?: unknown): Error =>
  new Error(`Cannot listen at ${place}: ${reason}`, { cause });

/** Whether a path names a pipe of Windows, which is no file. */
export const isNamedPipe = (place: string): boolean => /^\\\\[.?]\\pipe\\./i.test(place);

/**
 * Lets a server listen at a path that only those may use whom the mode allows, from the first moment. Gives what takes the file
 * away again, if it is still the same one.
 */
export async function listenAtFile(node: Server, file: string, mode: number): Promise<() => void> {
  const folder = path.dirname(file);
  const needed = Math.max(Buffer.byteLength(file), Buffer.byteLength(path.join(folder, BIRTHPLACE)));
  if (needed > MOST_BYTES)
    throw cannotListen(
      file,
      `the path needs ${needed} bytes, and a socket's may have ${MOST_BYTES}; choose a shorter one`,
    );
  const hidden = hide(folder, file);
  try {
    await makeWay(file);
    const born = path.join(hidden, path.basename(BIRTHPLACE));
    await listen(node, born, file);
    chmodSync(born, mode);
    const own = lstatSync(born, { bigint: true });
    publish(born, file);
    return () => {
      if (isSame(lookAt(file), own)) unlinkSync(file);
    };
  } finally {
    rmSync(hidden, { recursive: true, force: true });
  }
}

/** Lets a server listen; `place` is what errors call it. */
export function listen(node: Server, at: string, place = at): Promise<void> {
  return new Promise((resolve, reject) => {
    node.once("error", (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === "EADDRINUSE";
      reject(cannotListen(place, isTaken ? "another server listens there" : error.message, error));
    });
    node.listen(at, resolve);
  });
}

/** A folder that only this user may enter. */
function hide(folder: string, file: string): string {
  try {
    return mkdtempSync(`${folder}${path.sep}.`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === "ENOENT" || code === "ENOTDIR";
    const reason = isMissing
      ? `the folder ${folder} does not exist; create it first`
      : `nothing can be created in the folder ${folder} (${code ?? message})`;
    throw cannotListen(file, reason, error);
  }
}

/** Removes a socket that nobody listens at any more, and nothing else. */
async function makeWay(file: string): Promise<void> {
  const found = lookAt(file);
  if (found === undefined) return;
  if (!found.isSocket()) throw cannotListen(file, "there is something else of that name, which is left alone");
  if (await isHeard(file)) throw cannotListen(file, "another server listens there; stop it, or choose another path");
  // Meanwhile somebody else may have come to the same end.
  if (isSame(lookAt(file), found)) unlinkSync(file);
}

function isHeard(file: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = connect(file, () => {
      probe.destroy();
      resolve(true);
    });
    probe.on("error", (error: NodeJS.ErrnoException) => {
      const { code } = error;
      if (code === "ECONNREFUSED" || code === "ENOENT") resolve(false);
      // The line is long, so there is somebody at its end.
      else if (code === "EAGAIN") resolve(true);
      else reject(cannotListen(file, `there is a socket, and whether it is in use cannot be seen (${code})`, error));
    });
  });
}

/** Gives the socket its name. */
function publish(born: string, file: string): void {
  try {
    // A link, because it takes no name that somebody else has.
    linkSync(born, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      throw cannotListen(file, "another server has begun to listen there at the same time", error);
    renameSync(born, file);
  }
}

const lookAt = (file: string): BigIntStats | undefined => lstatSync(file, { bigint: true, throwIfNoEntry: false });

/** By its time too, because the number of a file that is gone is given to the next one. */
const isSame = (found: BigIntStats | undefined, known: BigIntStats): boolean =>
  found?.ino === known.ino && found.dev === known.dev && found.mtimeNs === known.mtimeNs;
