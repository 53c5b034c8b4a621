import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

// Not beside the tests: some of them read every file below `tests`.
const cache = new URL("../../node_modules/.cache/", import.meta.url);

/**
 * Brings packages that only tests need, at the versions of the lock file in the folder `wanted`. Nothing but npm packages is
 * fetched, and none of their scripts is run. What is there already stays.
 */
export function installPackages(
  /** @type {URL} */ wanted,
  /** @type {string} */ name,
  /** @type {string[]} */ options = [],
) {
  const lock = fileURLToPath(new URL("package-lock.json", wanted));
  const folder = new URL(`${name}/`, cache);
  const installed = fileURLToPath(new URL("node_modules/.package-lock.json", folder));
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return true;
  process.stderr.write(`Installing ${name}, once ...\n`);
  mkdirSync(folder, { recursive: true });
  for (const file of ["package.json", "package-lock.json", ".npmrc"])
    copyFileSync(new URL(file, wanted), new URL(file, folder));
  const shell = process.platform === "win32";
  const cwd = fileURLToPath(folder);
  return spawnSync("npm", ["ci", ...options], { cwd, stdio: ["ignore", 2, 2], shell }).status === 0;
}
