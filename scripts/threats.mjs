// Compiles the built-in threat patterns from YAML to JSON: an index for lists and ranking, and a file for each pattern. So the program
// does not parse YAML to answer a query.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { loadSource } from "./load-source.mjs";

const SOURCES = "packages/threats/patterns";
const COMPILER = "packages/threats/src/library/compile.ts";

/** Writes the compiled patterns into `folder`. Prints what is wrong with a file, and leaves out patterns with errors. */
export async function packThreats(root, folder) {
  // The compiler is the one that validates users' patterns.
  const { compileCorpus, formatDiagnostic } = await loadSource(root, COMPILER, folder);
  const { index, patterns, diagnostics } = await compileCorpus(path.join(root, SOURCES), SOURCES);
  for (const diagnostic of diagnostics) process.stderr.write(`${formatDiagnostic(diagnostic)}\n`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "index.json"), JSON.stringify(index));
  for (const pattern of patterns) writeFileSync(path.join(folder, `${pattern.id}.json`), JSON.stringify(pattern));
}
