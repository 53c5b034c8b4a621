import { builtin } from "../builtin.js";

const NAME = /^results-([A-Za-z0-9._]+)-(\d+)-(\d+)-[0-9a-f]{16}$/;

const machine = (): string =>
  builtin("node:os")
    .hostname()
    .replaceAll(/[^A-Za-z0-9.]/g, "_")
    .slice(0, 64) || "_";

/** A new name for the folder of one server: it says whose it is, and for how long what is in it counts. */
export function folderName(ttlMs: number): string {
  const random = crypto.randomUUID().replaceAll("-", "").slice(0, 16);
  return `results-${machine()}-${process.pid}-${Math.ceil(ttlMs)}-${random}`;
}

/** Removes the folders of servers that are gone; those of others that live are left alone. */
export async function removeLeftovers(base: string): Promise<void> {
  const names = await namesIn(base);
  if (names.length === 0) return;
  const fs = builtin("node:fs/promises");
  const path = builtin("node:path");
  for (const name of names) {
    const folder = path.join(base, name);
    const stats = await fs.lstat(folder).catch(() => undefined);
    if (stats?.isDirectory() && isLeftover(name, stats.mtimeMs)) await fs.rm(folder, { recursive: true, force: true });
  }
}

/** Every start looks there and most find nothing: Node's promises for files would take milliseconds to load. */
function namesIn(base: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    builtin("node:fs").readdir(base, (error, names) => {
      if (error === null) resolve(names);
      else if (error.code === "ENOENT") resolve([]);
      else reject(error);
    });
  });
}

/** A folder changes whenever a result comes or goes, so that long after its last change it holds none that counts. */
function isLeftover(name: string, changedAt: number): boolean {
  const [found, host, pid, ttlMs] = NAME.exec(name) ?? [];
  if (found === undefined) return false;
  // The processes of another machine, or of another container, cannot be seen from here.
  if (host !== machine()) return changedAt + Number(ttlMs) < Date.now();
  if (Number(pid) === process.pid) return changedAt < Date.now() - process.uptime() * 1000;
  return !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code !== "ESRCH";
  }
}
