const NAME = /^results-([A-Za-z0-9._]+)-(\d+)-(\d+)-[0-9a-f]{16}$/;

const machine = (): string =>
  process
    .getBuiltinModule("node:os")
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
  const fs = process.getBuiltinModule("node:fs/promises");
  const path = process.getBuiltinModule("node:path");
  for (const name of await namesIn(base)) {
    const folder = path.join(base, name);
    const stats = await fs.lstat(folder).catch(() => undefined);
    if (stats?.isDirectory() && isLeftover(name, stats.mtimeMs)) await fs.rm(folder, { recursive: true, force: true });
  }
}

async function namesIn(base: string): Promise<string[]> {
  try {
    return await process.getBuiltinModule("node:fs/promises").readdir(base);
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return [];
    throw error;
  }
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
