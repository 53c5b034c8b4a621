// Packs the chunks of the program into a few script files. V8's code cache works per file, and a start reads two or three of them.
// A chunk is a method there, so V8 compiles and runs it when packages/toolwright/src/launch/launch.ts calls it.
import { createHash } from "node:crypto";

const PACKS = "(?:analysis|knowledge|templates|threats|todo|workstation)";

/** Modules that each of the fast commands loads when it starts, besides what they import statically. */
const STARTS = {
  main: /toolwright\/src\/cli\/main\.ts$/,
  serve: new RegExp(
    `toolwright/src/(?:cli/(?:serve-front|commands/serve)|packs/basics)\\.ts$|packages/(?:engine/src/|${PACKS}/src/index\\.ts$)`,
  ),
  task: /todo\/src\/commands\/run-task\.ts$|kit\/src\/storage\/sql\/open-sql-store\.ts$|todo\/src\/store\/todo-ledger\.ts$/,
  threats: /threats\/src\/commands\/run-threats\.ts$/,
};

/** The script files as a map from name to text, and the file of each chunk. */
export function packChunks(chunks) {
  const loadedBy = Object.entries(STARTS).map(([name, pattern]) => [name, staticClosure(chunks, pattern)]);
  const fileOfChunk = {};
  const methods = new Map();
  for (const chunk of chunks) {
    const starts = loadedBy.filter(([, files]) => files.has(chunk.fileName)).map(([name]) => name);
    const file = starts.includes("main") || starts.length > 1 ? "first" : (starts[0] ?? subjectOf(chunk));
    const method = `${JSON.stringify(chunk.fileName)}(exports, require, module, __filename) {\n${chunk.code}\n}`;
    fileOfChunk[chunk.fileName] = file;
    methods.set(file, [...(methods.get(file) ?? []), method]);
  }
  const files = [...methods].map(([file, list]) => [
    `${file}.js`,
    withHash(`"use strict";({\n${list.join(",\n")}\n})\n`),
  ]);
  return { files: new Map(files), fileOfChunk };
}

const sourceOf = (chunk) => (chunk.facadeModuleId ?? chunk.moduleIds.at(-1) ?? "").replaceAll("\\", "/");

function staticClosure(chunks, pattern) {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const found = new Set(chunks.filter((chunk) => pattern.test(sourceOf(chunk))).map(({ fileName }) => fileName));
  for (const file of found) for (const imported of byName.get(file)?.imports ?? []) found.add(imported);
  return found;
}

/** The file of a chunk that no fast command loads at start: its pack, bundled packages, or the command line. */
function subjectOf(chunk) {
  const source = sourceOf(chunk);
  const pack = new RegExp(`packages/(${PACKS})/src/`).exec(source)?.[1];
  if (pack !== undefined) return pack;
  return source.includes("node_modules/") ? "packages" : "command";
}

/** The first line identifies the text, for the code cache. */
const withHash = (text) => `//${createHash("sha256").update(text).digest("hex").slice(0, 16)}\n${text}`;
