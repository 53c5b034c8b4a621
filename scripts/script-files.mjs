// Packs the chunks of the program into a few script files. V8's code cache works per file, and a start reads two or three of them.
// A chunk is a method there, so V8 compiles and runs it when packages/toolwright/src/launch/launch.ts calls it.
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";

const OTHER_PACKAGES = new Set(["engine", "kit", "sqlite", "toolwright"]);
const packs = readdirSync(new URL("../packages", import.meta.url)).filter((name) => !OTHER_PACKAGES.has(name));
const PACKS = `(?:${packs.join("|")})`;

/** Modules that each of the fast commands loads with `import()` when it starts; what they import statically belongs to them. */
const STARTS = {
  main: /toolwright\/src\/cli\/main\.ts$/,
  serve: new RegExp(
    [
      "toolwright/src/(?:cli/(?:run-serve|serve)|packs/basics)\\.ts$",
      "kit/src/files/access-policy\\.ts$",
      `packages/(?:engine/src/|${PACKS}/src/(?:index|open|pages/index|prompts|prompts/prompts|resource-updates|resources|(?:todo|threats)-context|tools/tools)\\.ts$)`,
    ].join("|"),
  ),
  task: /toolwright\/src\/cli\/(?:program|pack-context)\.ts$|todo\/src\/(?:index|todo-context|commands\/(?:task|query-commands))\.ts$|kit\/src\/storage\/sql\/(?:open-sql-store|sqlite-store)\.ts$/,
  threats:
    /toolwright\/src\/cli\/(?:program|pack-context)\.ts$|threats\/src\/(?:index|threats-context|commands\/(?:threats|query-command))\.ts$/,
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
    withHash(escapeNonAscii(`"use strict";({\n${list.join(",\n")}\n})\n`)),
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

/** One character beyond Latin-1 would make V8 store the whole file with two bytes a character: slower to load, and twice the memory. */
export const escapeNonAscii = (code) =>
  code.replaceAll(/[^\0-\x7F]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** The first line identifies the text, for the code cache. */
const withHash = (text) => `//${createHash("sha256").update(text).digest("hex").slice(0, 16)}\n${text}`;
