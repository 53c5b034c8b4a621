// Builds the packages: the engine as modules, one for a start and others for what is seldom needed, with its declarations, and its maps; the
// program as a few files of which V8 keeps the compiled code (program.mjs). The new files are made aside and moved into place, and only then the old ones go: a
// server that is started meanwhile finds a whole build.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildWs, folderOf, noticesOf, wsBeside } from "./bundle.mjs";
import { GRAMMAR_PACKAGES, packGrammars } from "./grammars.mjs";
import { packKernel } from "./kernel.mjs";
import { mergeStart } from "./merge-start.mjs";
import { mergeTypes } from "./merge-types.mjs";
import { buildProgram } from "./program.mjs";
import { moveMaps } from "./source-maps.mjs";
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
  // THIRD-PARTY-NOTICES.txt has them whole.
  legalComments: "none",
};
// Less to read at start. Lines stay short, so that a stack trace leads somewhere.
const terse = { minifyWhitespace: true, minifySyntax: true, lineLimit: 160 };
const faces = ["index", "boot", "client", "testing"];
const entries = ["package.json", "engine.js", ...faces.map((name) => `${name}.js`), "main.js"];

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
  const folders = readdirSync(dist, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of folders)
    if (!name.startsWith(".next-") && filesIn(path.join(dist, name)).length === 0)
      rmSync(path.join(dist, name), { recursive: true, force: true });
}

/** Keeps what is said of a build beside it, where npm does not take it along. */
function keepBeside(name, file, text) {
  const folder = `${root}packages/${name}/built`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

/** The licences of others, and for the tests the list of what was read. */
function writeNotices(name, folder, inputs, packed) {
  writeFileSync(path.join(folder, "THIRD-PARTY-NOTICES.txt"), noticesOf(root, inputs, packed));
  keepBeside(name, "inputs.json", JSON.stringify([...Object.keys(inputs), ...packed.map(folderOf)], undefined, 1));
}

/** The page of the manual, as the program writes it. */
function writeManual() {
  const args = [`${root}packages/toolwright/dist/main.js`, "man"];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", 2] });
  if (status !== 0) throw new Error(`Cannot write the manual: toolwright man ended with ${status}`);
  mkdirSync(`${root}packages/toolwright/man`, { recursive: true });
  writeFileSync(`${root}packages/toolwright/man/toolwright.1`, stdout);
}

const dists = ["engine-maps", "engine", "toolwright"].map((name) => `${root}packages/${name}/dist`);
const [maps, engine, toolwright] = dists.map((dist) => path.join(dist, NEXT));
try {
  const small = {
    ...common,
    ...terse,
    lineLimit: 2000,
    minifyIdentifiers: true,
    chunkNames: "[hash]",
    define: { "Number.POSITIVE_INFINITY": "Infinity" },
    sourcemap: "linked",
    plugins: [wsBeside],
  };
  const { metafile } = await build({
    ...small,
    entryPoints: faces.map((name) => `packages/engine/src/${name}.ts`),
    outdir: engine,
    metafile: true,
  });
  await mergeStart({ ...small, splitting: false }, metafile.outputs, engine, { entry: "index.js", name: "engine.js" });
  const inputs = { ...metafile.inputs, ...(await buildWs(common, root, engine)) };
  moveMaps(root, engine, maps);
  writeNotices("engine", engine, inputs, []);
  cpSync(path.join(engine, "THIRD-PARTY-NOTICES.txt"), path.join(maps, "THIRD-PARTY-NOTICES.txt"));

  const read = await buildProgram({ ...common, ...terse }, toolwright);
  writeNotices("toolwright", toolwright, read, [...GRAMMAR_PACKAGES, "js-tiktoken"]);
  // The package is of modules, and the program is not.
  writeFileSync(path.join(toolwright, "package.json"), '{ "type": "commonjs" }\n');
  chmodSync(`${toolwright}/main.js`, 0o755);
  packGrammars(root, `${toolwright}/grammars`, `${root}packages/toolwright/dist/grammars`);
  packTokens(`${toolwright}/tokens`);
  await packKernel(root, `${toolwright}/vectors`);
  await packThreats(root, `${toolwright}/threats`);

  const tsc = ["node_modules/typescript/bin/tsc", "-p", "packages/engine", "--outDir", engine];
  const types = spawnSync(process.execPath, tsc, { cwd: root, stdio: ["ignore", 2, 2] });
  mergeTypes(engine, faces, "engine");
  for (const dist of dists) replace(dist);
  writeManual();
  process.exitCode = types.status ?? 1;
} finally {
  for (const dist of dists) rmSync(path.join(dist, NEXT), { recursive: true, force: true });
}
