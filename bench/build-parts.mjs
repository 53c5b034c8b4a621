import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { workspacePackages } from "../tests/support/workspace-packages.mjs";

/**
 * Builds parts of the ready server for a program that measures them alone, each to a file of its name.
 * @param {Record<string, string>} entryPoints
 * @param {string} outdir
 */
export const buildParts = (entryPoints, outdir) =>
  build({
    absWorkingDir: fileURLToPath(new URL("..", import.meta.url)),
    entryPoints,
    outdir,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    splitting: true,
    plugins: [workspacePackages],
    minifyWhitespace: true,
    logLevel: "warning",
  });
