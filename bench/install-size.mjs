import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** @typedef {{ packages: number, megabytes: number }} InstallSize */

const engine = fileURLToPath(new URL("../packages/engine/", import.meta.url));
const megabyte = 1e6;

function bytesIn(/** @type {string} */ folder) {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
}

/** The folders of everything that npm installs beside a package. */
function dependenciesOf(/** @type {string} */ folder, /** @type {Set<string>} */ found) {
  const { dependencies = {} } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const places = createRequire(path.join(folder, "package.json"));
  for (const name of Object.keys(dependencies)) {
    const roots = places.resolve.paths(name) ?? [];
    const at = roots.map((root) => path.join(root, name)).find((one) => statSync(one, { throwIfNoEntry: false }));
    if (at === undefined) throw new Error(`The dependency ${name} is not installed`);
    if (found.has(at)) continue;
    found.add(at);
    dependenciesOf(at, found);
  }
  return found;
}

/**
 * What installing the engine puts on a disk: the package as npm packs it, and all it depends on.
 * @returns {{ measured: InstallSize | undefined, failures: string[] }}
 */
export function measureInstallSize(/** @type {(line: string) => void} */ say) {
  try {
    const npm = process.platform === "win32" ? "npm.cmd" : "npm";
    const args = ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=error"];
    const { stdout, stderr, status } = spawnSync(npm, args, { cwd: engine, encoding: "utf8" });
    if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
    const dependencies = [...dependenciesOf(engine, new Set())];
    const bytes = dependencies.reduce((sum, folder) => sum + bytesIn(folder), JSON.parse(stdout)[0].unpackedSize);
    const measured = { packages: 1 + dependencies.length, megabytes: bytes / megabyte };
    say(`install  ${measured.megabytes.toFixed(2)} MB in ${measured.packages} packages`);
    return { measured, failures: [] };
  } catch (error) {
    return { measured: undefined, failures: [`size of the installation: ${error.message}`] };
  }
}
