// Builds both packages: esbuild for one small file per entry, tsc for the declarations of the engine.
import { spawnSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL(".", import.meta.url));
const common = {
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  logLevel: "warning",
};

for (const name of ["engine", "toolwright"]) rmSync(`${root}packages/${name}/dist`, { recursive: true, force: true });

// The test kit uses the engine's public face like any other author, so both share one copy of the engine.
await build({ ...common, entryPoints: ["packages/engine/src/index.ts"], outdir: "packages/engine/dist" });
await build({
  ...common,
  entryPoints: ["packages/engine/src/testing.ts"],
  outdir: "packages/engine/dist",
  external: ["./index.js"],
});
await build({
  ...common,
  entryPoints: { main: "packages/toolwright/src/cli/main.ts" },
  outdir: "packages/toolwright/dist",
  splitting: true,
  packages: "external",
});
chmodSync(`${root}packages/toolwright/dist/main.js`, 0o755);

const types = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "packages/engine"], {
  cwd: root,
  stdio: ["ignore", 2, 2],
});
process.exit(types.status ?? 1);
