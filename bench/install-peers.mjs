import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("peers/", import.meta.url));

/** Installs the peers into their own folder at the first run, and again when their lock file changed. */
export function installPeers() {
  const installed = `${folder}node_modules/.package-lock.json`;
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${folder}package-lock.json`).mtimeMs) return;
  process.stderr.write("Installing the peers into bench/peers, once ...\n");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const { status } = spawnSync(npm, ["ci", "--prefix", folder], { cwd: folder, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error('Cannot install the peers. Run with "--servers ours" to measure without them.');
}
