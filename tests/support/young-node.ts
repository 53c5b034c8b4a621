import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const installed = fileURLToPath(new URL("../../node_modules/.cache/conformance/node_modules/", import.meta.url));
const FIRST_THAT_FITS = 22;

/** A Node for programs that need 22 or later; where ours is older, `tests/conformance/install.mjs` has brought one. */
export function findYoungNode(): string | undefined {
  if (Number.parseInt(process.versions.node, 10) >= FIRST_THAT_FITS) return process.execPath;
  const file = process.platform === "win32" ? "node.exe" : "node";
  const name = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  return [`node-${name}`, `node-bin-${name}`]
    .map((folder) => path.join(installed, folder, "bin", file))
    .find((candidate) => existsSync(candidate));
}
