// Builds the packages into their dist folders. New files are written to a folder beside and moved into place, so that a server that is
// started during a build finds a complete one.
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { decode, encode } from "@jridgewell/sourcemap-codec";
import { build } from "rolldown";
import { ENGINE_ENTRIES, engineConfig, programConfig, shared, singleFileConfig } from "./bundle-config.mjs";
import { GRAMMAR_PACKAGES, grammarNotices, packGrammars } from "./grammars.mjs";
import { packKernel } from "./kernel.mjs";
import { noticesFor } from "./notices.mjs";
import { packEntryConfig, writePackTypes } from "./pack-entry.mjs";
import { escapeNonAscii, packChunks } from "./script-files.mjs";
import { packTemplates } from "./templates.mjs";
import { packThreats } from "./threats.mjs";
import { packTokens } from "./tokens.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const NEXT = `.next-${process.pid}`;
const distOf = (name) => path.join(root, "packages", name, "dist");
const nextOf = (name) => path.join(distOf(name), NEXT);

/** Bundles in memory, for the dist folder of a package: source maps name the sources relative to it. */
async function bundle(name, { output: options, ...config }) {
  const { output } = await build({ ...config, cwd: root, write: false, output: { ...options, dir: distOf(name) } });
  return output.filter(({ type }) => type === "chunk");
}

function write(folder, name, text) {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function writeNotices(folder, chunks, packed = [], more = []) {
  const moduleIds = chunks.flatMap((chunk) => chunk.moduleIds);
  write(folder, "THIRD-PARTY-NOTICES.txt", [noticesFor(root, moduleIds, packed), ...more].join("\n"));
}

async function buildEngine(folder) {
  const chunks = await bundle("engine", engineConfig);
  for (const { fileName, code, map } of chunks) {
    write(folder, fileName, escapeNonAscii(code));
    // A chunk that only re-exports has no map.
    if (map) write(folder, `${fileName}.map`, toLineMap(map));
  }
  writeNotices(folder, chunks);
  tsc(["-p", "packages/engine", "--outDir", folder]);
  removeUnreachedTypes(folder);
}

/** A source map that knows lines only and has no source text: a tenth of the size, and a stack trace shows lines. */
function toLineMap({ version, file, sources, mappings }) {
  const lines = decode(mappings).map((segments) => segments.slice(0, 1).map((segment) => segment.slice(0, 4)));
  return JSON.stringify({ version, file, sources, names: [], mappings: encode(lines) });
}

/** Removes the declarations that no entry point leads to. */
function removeUnreachedTypes(folder) {
  const entries = Object.keys(ENGINE_ENTRIES).map((name) => path.join(folder, `${name}.d.ts`));
  const options = ["--ignoreConfig", "--module", "nodenext", "--target", "es2023", "--types", "node", "--skipLibCheck"];
  const reached = new Set(
    tsc([...options, "--listFilesOnly", ...entries])
      .split("\n")
      .map((file) => path.normalize(file)),
  );
  for (const file of filesIn(folder)) {
    if (file.endsWith(".d.ts") && !reached.has(path.join(folder, file))) rmSync(path.join(folder, file));
  }
}

function tsc(args) {
  const compiler = path.join(root, "node_modules/typescript/bin/tsc");
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...args], { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`tsc failed:\n${stdout}`);
  return stdout;
}

async function buildProgram(folder) {
  const chunks = await bundle("toolwright", programConfig);
  const { files, fileOfChunk } = packChunks(chunks);
  for (const [name, text] of files) write(folder, name, text);
  const define = { FILE_OF_CHUNK: JSON.stringify(fileOfChunk) };
  const launchers = Object.keys(programConfig.input).map((name) => singleFileConfig(name, `launch/${name}.ts`, define));
  // Node runs the hooks in the processes of other programs, too, so they are a file that needs no other.
  const hooks = singleFileConfig("typescript-hooks", "dev/typescript-hooks.ts");
  const single = [...launchers, hooks, singleFileConfig("import-module", "cli/import-module.ts")];
  for (const config of single) {
    const [chunk] = await bundle("toolwright", config);
    write(folder, chunk.fileName, chunk.code);
    chunks.push(chunk);
  }
  const [entry] = await bundle("toolwright", { ...shared, ...packEntryConfig });
  write(folder, entry.fileName, entry.code);
  chunks.push(entry);
  writePackTypes(path.join(folder, "types"), tsc);
  chmodSync(path.join(folder, "main.js"), 0o755);
  // The package has type "module"; the program is CommonJS.
  write(folder, "package.json", '{ "type": "commonjs" }\n');
  writeNotices(folder, chunks, [...GRAMMAR_PACKAGES, "js-tiktoken"], [grammarNotices(root)]);
  packGrammars(root, path.join(folder, "grammars"), path.join(distOf("toolwright"), "grammars"));
  packTokens(path.join(folder, "tokens"));
  await packKernel(root, path.join(folder, "vectors"));
  await packThreats(root, path.join(folder, "threats"));
  await packTemplates(root, path.join(folder, "templates"));
  copyModels(path.join(folder, "models"));
  copyAssets("packages/analysis/src/report/assets", path.join(folder, "report"));
  copyAssets("packages/toolwright/src/dashboard/assets", path.join(folder, "dashboard"));
  copyAssets("packages/toolwright/src/cli/doctor/assets", path.join(folder, "doctor"));
}

/** Copies the styles and scripts of web pages. */
const copyAssets = (source, folder) => cpSync(path.join(root, source), folder, { recursive: true });

/** Copies the embedding model and its licences. */
function copyModels(folder) {
  mkdirSync(folder);
  const models = path.join(root, "packages/knowledge/models");
  const files = readdirSync(models).filter((file) => /\.(?:bin|txt)$/.test(file));
  for (const file of files) copyFileSync(path.join(models, file), path.join(folder, file));
}

/** Every file below a folder, except those of builds that are under way. */
const filesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith(".next-"));

/** Moves the new files into place, entry points after the chunks that they import, then removes the stale ones. */
function replaceDist(name) {
  const dist = distOf(name);
  const fresh = filesIn(nextOf(name));
  const isEntry = (file) => file === "main.js" || file === "index.js";
  for (const file of fresh.sort((a, b) => Number(isEntry(a)) - Number(isEntry(b)))) {
    mkdirSync(path.dirname(path.join(dist, file)), { recursive: true });
    renameSync(path.join(nextOf(name), file), path.join(dist, file));
  }
  for (const file of filesIn(dist)) if (!fresh.includes(file)) rmSync(path.join(dist, file), { force: true });
}

function writeManual() {
  const args = [path.join(distOf("toolwright"), "main.js"), "man"];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", 2] });
  if (status !== 0) throw new Error(`Cannot write the manual page: "toolwright man" exited with ${status}`);
  write(path.join(root, "packages/toolwright/man"), "toolwright.1", stdout);
}

try {
  await buildEngine(nextOf("engine"));
  await buildProgram(nextOf("toolwright"));
  for (const name of ["engine", "toolwright"]) replaceDist(name);
  writeManual();
} finally {
  for (const name of ["engine", "toolwright"]) rmSync(nextOf(name), { recursive: true, force: true });
}
