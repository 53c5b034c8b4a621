// Puts the official conformance suites where the tests of this folder look for them. Nothing but npm packages is fetched,
// at the versions of the lock file, and none of their scripts is run.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const wanted = fileURLToPath(new URL("suites/", import.meta.url));
// Not beside this file: other tests read every file below `tests`.
const folder = fileURLToPath(new URL("../../node_modules/.cache/conformance/", import.meta.url));
const FIRST_NODE_THAT_FITS = 22;

function isInstalled() {
  const installed = `${folder}node_modules/.package-lock.json`;
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${wanted}package-lock.json`).mtimeMs;
}

if (!isInstalled()) {
  process.stderr.write("Installing the official conformance suites, once ...\n");
  mkdirSync(folder, { recursive: true });
  for (const file of ["package.json", "package-lock.json", ".npmrc"]) copyFileSync(wanted + file, folder + file);
  // The optional packages are Node itself, one a platform.
  const without = Number.parseInt(process.versions.node, 10) < FIRST_NODE_THAT_FITS ? [] : ["--omit=optional"];
  const shell = process.platform === "win32";
  const { status } = spawnSync("npm", ["ci", ...without], { cwd: folder, stdio: ["ignore", 2, 2], shell });
  if (status !== 0) process.exitCode = 1;
}
