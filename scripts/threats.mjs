// Compiles the built-in threat patterns from YAML to JSON: an index for lists and ranking, and a file for each pattern. So the program
// does not parse YAML to answer a query.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "rolldown";

const SOURCES = "packages/threats/patterns";
const COMPILER = "packages/threats/src/library/compile.ts";

/** Writes the compiled patterns into `folder`. Prints what is wrong with a file, and leaves out patterns with errors. */
export async function packThreats(root, folder) {
  const { compileCorpus, toFaultLine } = await loadCompiler(root, folder);
  const { index, patterns, faults } = await compileCorpus(path.join(root, SOURCES), SOURCES);
  for (const fault of faults) process.stderr.write(`${toFaultLine(fault)}\n`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "index.json"), JSON.stringify(index));
  for (const pattern of patterns) writeFileSync(path.join(folder, `${pattern.id}.json`), JSON.stringify(pattern));
}

/** The compiler is the one that validates users' patterns. It is bundled inside the package, where its dependencies resolve. */
async function loadCompiler(root, folder) {
  const outfile = `${folder}-compiler.mjs`;
  try {
    await build({
      cwd: root,
      input: COMPILER,
      platform: "node",
      external: /^(?!@toolwright\/)[^./]/,
      resolve: { conditionNames: ["@toolwright/source", "node", "import"] },
      output: { file: outfile, format: "esm", codeSplitting: false },
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}
