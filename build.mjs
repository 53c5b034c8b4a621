// Builds both packages: esbuild for a file per entry and one per `import()`, so that what is seldom needed is not read at start;
// tsc for the declarations of the engine. The new files are made aside and moved into place, and only then the old ones go: a
// server that is started meanwhile finds a whole build.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildWs, noticesOf, wsBeside } from "./bundle.mjs";
import { packGrammars } from "./grammars.mjs";
import { packKernel } from "./kernel.mjs";
import { mergeStart } from "./merge-start.mjs";
import { keepReachedTypes } from "./reached-types.mjs";
import { buildCommand, commandsBeside } from "./task-command.mjs";
import { packThreats } from "./threats.mjs";
import { packTokens } from "./tokens.mjs";

const root = fileURLToPath(new URL(".", import.meta.url));
const NEXT = `.next-${process.pid}`;
const common = {
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  logLevel: "warning",
  splitting: true,
  plugins: [wsBeside],
};
// Less to read at start. Names stay, and lines stay short, so that stack traces can be read.
const terse = { minifyWhitespace: true, minifySyntax: true, lineLimit: 160 };
const entries = ["engine.js", "task.js", "threats.js", "main.js", "index.js", "boot.js", "client.js", "testing.js"];

/** Every file below a folder, but those of builds that are under way. */
function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith(".next-"))
    .flatMap((entry) =>
      entry.isDirectory()
        ? filesIn(path.join(folder, entry.name)).map((file) => path.join(entry.name, file))
        : [entry.name],
    );
}

/** Puts what was built in place of what is there, entries after the files that they import; then the stale files go. */
function replace(dist) {
  const next = path.join(dist, NEXT);
  const fresh = filesIn(next).sort((a, b) => entries.indexOf(a) - entries.indexOf(b));
  for (const file of fresh) {
    mkdirSync(path.dirname(path.join(dist, file)), { recursive: true });
    renameSync(path.join(next, file), path.join(dist, file));
  }
  for (const file of filesIn(dist)) if (!fresh.includes(file)) rmSync(path.join(dist, file), { force: true });
}

const dists = ["engine", "toolwright"].map((name) => `${root}packages/${name}/dist`);
const [engine, toolwright] = dists.map((dist) => path.join(dist, NEXT));
try {
  // The test kit uses the engine's public face like any other author, so both share one copy of the engine.
  const { metafile } = await build({
    ...common,
    ...terse,
    entryPoints: ["packages/engine/src/index.ts"],
    outdir: engine,
    metafile: true,
  });
  await mergeStart({ ...common, ...terse, splitting: false }, metafile.outputs, engine, {
    entries: ["index.js"],
    name: "engine",
  });
  const inputs = { ...metafile.inputs, ...(await buildWs(common, root, engine)) };
  writeFileSync(path.join(engine, "THIRD-PARTY-NOTICES.txt"), noticesOf(root, inputs));
  await build({
    ...common,
    ...terse,
    entryPoints: ["boot", "client", "testing"].map((name) => `packages/engine/src/${name}.ts`),
    outdir: engine,
    external: ["./index.js"],
  });
  const program = await build({
    ...common,
    ...terse,
    entryPoints: {
      main: "packages/toolwright/src/cli/main.ts",
      "analysis-worker": "packages/toolwright/src/packs/analysis/project/worker.ts",
      "knowledge-reader": "packages/toolwright/src/packs/knowledge/documents/reader-worker.ts",
    },
    outdir: toolwright,
    packages: "external",
    plugins: [...common.plugins, commandsBeside],
    metafile: true,
  });
  const apart = { ...common, ...terse };
  await buildCommand(apart, root, toolwright, { name: "task", early: /\/sqlite-ledger\.ts$/ });
  await buildCommand(apart, root, toolwright, { name: "threats" });
  const { outputs } = program.metafile;
  const served = /^packages\/toolwright\/src\/(?:cli\/commands\/serve|packs\/[^/]+\/index)\.ts$/;
  const started = Object.keys(outputs).filter((file) => served.test(outputs[file].entryPoint ?? ""));
  await mergeStart({ ...common, ...terse, splitting: false, packages: "external" }, outputs, toolwright, {
    entries: started.map((file) => path.basename(file)),
    name: "server",
    apart: ["main.js"],
  });
  chmodSync(`${toolwright}/main.js`, 0o755);
  packGrammars(root, `${toolwright}/grammars`, `${root}packages/toolwright/dist/grammars`);
  packTokens(`${toolwright}/tokens`);
  await packKernel(root, `${toolwright}/vectors`);
  await packThreats(root, `${toolwright}/threats`);

  const tsc = ["node_modules/typescript/bin/tsc", "-p", "packages/engine", "--outDir", engine];
  const types = spawnSync(process.execPath, tsc, { cwd: root, stdio: ["ignore", 2, 2] });
  keepReachedTypes(engine, ["index", "boot", "client", "testing"]);
  for (const dist of dists) replace(dist);
  process.exitCode = types.status ?? 1;
} finally {
  for (const dist of dists) rmSync(path.join(dist, NEXT), { recursive: true, force: true });
}
