import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readlink, symlink, unlink } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { ToolError } from "@toolwright/engine";
import { describeProcess, isRunning } from "../storage/process-leases.js";
import type { OpenFolder } from "./file-handles.js";

/** The name of the lock in each folder; tools cannot use it. */
const LOCK_NAME = ".toolwright.lock";

/** How long a change waits for another one. */
const WAIT_MS = 5000;
/** A change takes milliseconds. After this, a lock whose owner cannot be asked for is left over from a crash. */
const UNKNOWN_OWNER_MS = 30_000;
/** After this, the process id of the owner belongs to another process by now. */
const KNOWN_OWNER_MS = 10 * 60_000;
const LONGEST_OWNER = 1024;

/** Runs one operation of the file system within its time limit; `onLate` gets a result for which nobody waits any more. */
type Attempt = <Value>(operation: () => Promise<Value>, onLate?: (late: Value) => unknown) => Promise<Value>;

/** Locks of folders that are held. */
interface FolderLock {
  release(): Promise<void>;
}

/**
 * Locks folders against changes of other servers, whoever runs them and wherever they keep their state. The lock of a folder is a
 * link in it whose target names the owner: it is created atomically, and every user who may change the folder may create it. A lock
 * whose owner has ended is removed.
 */
export async function lockFolders(folders: readonly OpenFolder[], attempt: Attempt): Promise<FolderLock> {
  const owner = JSON.stringify({ place: describeProcess(), pid: process.pid, id: randomUUID() });
  // All servers lock in the same order, so that no two wait for each other.
  const byPath = new Map(folders.map((folder) => [folder.realPath, folder]));
  const sorted = [...byPath].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, folder]) => folder);
  const held: string[] = [];
  const release = async (): Promise<void> => {
    // A lock that cannot be removed is broken when this process has ended; the change itself is made.
    for (const lock of held.splice(0)) await removeOwn(lock, owner).catch(() => undefined);
  };
  try {
    for (const folder of sorted) {
      await acquire(folder, owner, attempt);
      held.push(folder.at(LOCK_NAME));
    }
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}

/** Removes the lock of a folder if its owner has ended. */
export async function removeStaleLock(folder: OpenFolder): Promise<void> {
  const lock = folder.at(LOCK_NAME);
  const found = await readLock(lock);
  if (found !== undefined && isStale(found)) await breakLock(lock, found, JSON.stringify({ id: randomUUID() }));
}

async function acquire(folder: OpenFolder, owner: string, attempt: Attempt): Promise<void> {
  const lock = folder.at(LOCK_NAME);
  const deadline = performance.now() + WAIT_MS;
  const removeLate = (isOurs: boolean): unknown => isOurs && removeOwn(lock, owner);
  while (!(await attempt(() => create(lock, owner), removeLate))) {
    const found = await attempt(() => readLock(lock));
    if (found !== undefined && isStale(found)) await attempt(() => breakLock(lock, found, owner));
    else if (performance.now() > deadline) throw heldByAnother(folder);
    await delay(1 + Math.random() * 10);
  }
}

const heldByAnother = ({ realPath }: OpenFolder): ToolError =>
  new ToolError(
    `Cannot change files in ${JSON.stringify(realPath)}: another server has been changing files there for ${WAIT_MS / 1000} s. Nothing was changed; try again. If no other server is running, a person can remove ${LOCK_NAME} from that folder.`,
    { code: "CONFLICT", details: { lock: LOCK_NAME } },
  );

/** Systems and disks without symbolic links, and users who may not make any. */
const NO_LINKS = new Set(["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EINVAL"]);

/** Creates a lock; false if there is one. */
async function create(lock: string, owner: string): Promise<boolean> {
  try {
    await symlink(owner, lock);
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (!NO_LINKS.has(code)) throw error;
  }
  try {
    const handle = await open(lock, "wx", 0o644);
    try {
      await handle.writeFile(owner);
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** A lock that was found. */
interface FoundLock {
  readonly owner: string;
  /** No other lock has the same. */
  readonly identity: string;
  readonly ageMs: number;
}

async function readLock(lock: string): Promise<FoundLock | undefined> {
  try {
    const stats = await lstat(lock, { bigint: true });
    const owner = stats.isSymbolicLink() ? await readlink(lock) : stats.isFile() ? await readOwner(lock) : "";
    const identity = createHash("sha256").update(`${stats.ino} ${stats.ctimeNs} ${owner}`).digest("hex").slice(0, 16);
    // No server makes a folder of that name, so it is not removed; the error says who can.
    return { owner, identity, ageMs: stats.isDirectory() ? 0 : Date.now() - Number(stats.mtimeMs) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EINVAL" || code === "ELOOP") return undefined;
    throw error;
  }
}

async function readOwner(lock: string): Promise<string> {
  const handle = await open(lock, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LONGEST_OWNER));
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

function isStale({ owner, ageMs }: FoundLock): boolean {
  const { place, pid } = parseOwner(owner);
  if (place !== describeProcess() || typeof pid !== "number" || !(pid > 0)) return ageMs > UNKNOWN_OWNER_MS;
  return !isRunning(pid) || ageMs > KNOWN_OWNER_MS;
}

function parseOwner(owner: string): { readonly place?: unknown; readonly pid?: unknown } {
  try {
    return { ...(JSON.parse(owner) as object | null) };
  } catch {
    return {};
  }
}

/**
 * Removes a stale lock. Of two processes that find the same one, the second could remove the lock of somebody who came in between,
 * so removing it needs a lock of its own, with the identity of the stale one in its name.
 */
async function breakLock(lock: string, { identity }: FoundLock, owner: string): Promise<void> {
  const breaker = `${lock}.${identity}`;
  if (!(await create(breaker, owner))) {
    const other = await readLock(breaker);
    if (other !== undefined && isStale(other)) await breakLock(breaker, other, owner);
    return;
  }
  try {
    if ((await readLock(lock))?.identity === identity) await unlink(lock);
  } finally {
    await unlink(breaker);
  }
}

/** Removes a lock, unless it was broken meanwhile because its owner took too long. */
async function removeOwn(lock: string, owner: string): Promise<void> {
  if ((await readLock(lock))?.owner !== owner) return;
  await unlink(lock).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}
