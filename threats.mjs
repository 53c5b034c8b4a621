// Puts the built-in threat patterns beside the program: an index of all for lists and ranking, and each one whole. YAML is read here, so
// that nobody who asks has to wait for it.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const SOURCES = "packages/toolwright/patterns";
const COMPILER = "packages/toolwright/src/packs/threats/library/compile.ts";

/** Writes the compiled patterns into `folder`. What is wrong with a file is said, and a pattern with an error is left out. */
export async function packThreats(root, folder) {
  const { compileCorpus, toFaultLine } = await loadCompiler(root, folder);
  const { index, patterns, faults } = await compileCorpus(path.join(root, SOURCES), SOURCES);
  for (const fault of faults) process.stderr.write(`${toFaultLine(fault)}\n`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "index.json"), JSON.stringify(index));
  for (const pattern of patterns) writeFileSync(path.join(folder, `${pattern.id}.json`), JSON.stringify(pattern));
}

/** What checks the user's patterns checks ours. It is built inside the package, where its dependencies are found. */
async function loadCompiler(root, folder) {
  const outfile = `${folder}-compiler.mjs`;
  try {
    await build({
      absWorkingDir: root,
      entryPoints: [COMPILER],
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20.19",
      logLevel: "warning",
      packages: "external",
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}
