import { readdirSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findYoungNode } from "../support/young-node.js";
import { packAll, run } from "./pack.js";

let packed: Awaited<ReturnType<typeof packAll>>;
beforeAll(async () => {
  packed = await packAll();
}, 120_000);
afterAll(() => packed.remove());

/** Installs toolwright with its optional dependencies, as npm does with this version of Node. Returns the folder with all packages. */
async function install(name: string, node: string): Promise<string> {
  const home = path.join(packed.folder, name);
  await mkdir(home);
  const optionalDependencies = { "@toolwright/sqlite": `file:${packed.sqlite.file}` };
  await writeFile(path.join(home, "package.json"), JSON.stringify({ private: true, optionalDependencies }));
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", packed.toolwright.file];
  const PATH = `${path.dirname(node)}${path.delimiter}${process.env["PATH"]}`;
  await run("npm", args, home, { PATH });
  return path.join(home, "node_modules");
}

/** The bytes on disk of all files in a folder. */
function diskBytes(folder: string): number {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
}

const NO_REGISTRY = /ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENOTCACHED|E40[134]/;

describe.each([
  ["a Node that has SQLite", findYoungNode(), false],
  ["Node 20", process.version.startsWith("v20.") ? process.execPath : undefined, true],
])("installed with %s", (name, node, hasBinaries) => {
  test.skipIf(node === undefined)(
    `toolwright ${hasBinaries ? "comes with the binaries of SQLite" : "has no binaries of SQLite and at most 35 MB"}`,
    async ({ skip }) => {
      const folder = await install(name, node ?? "").catch((error: unknown) => {
        if (!NO_REGISTRY.test(String(error))) throw error;
        return undefined;
      });
      if (folder === undefined) return skip("without a registry there are no dependencies to install");
      expect(readdirSync(folder).includes("@photostructure")).toBe(hasBinaries);
      if (!hasBinaries) expect(diskBytes(folder)).toBeLessThan(35_000_000);
    },
    120_000,
  );
});
