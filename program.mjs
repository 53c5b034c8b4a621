// Builds the program `toolwright`: every package that it uses and the engine are in it, but for those that have files or machine code of their own.
import { build } from "esbuild";
import { importUnknown, loadSeldom, packParts, stayOutside } from "./archives.mjs";

const SOURCES = "packages/toolwright/src";
/** They come with files, or with machine code. */
const OUTSIDE = new Set([
  "@photostructure/sqlite",
  "@vscode/ripgrep",
  "onnxruntime-node",
  "pg",
  "unpdf",
  "web-tree-sitter",
]);

/** What is loaded at once by those who wait for it: each has a file, and there is one for what they share. */
const WAITED_FOR = {
  main: /^packages\/toolwright\/src\/cli\/main\.ts$/,
  serve:
    /^packages\/toolwright\/src\/(?:cli\/(?:serve-front|commands\/serve)|packs\/[^/]+\/index)\.ts$|^packages\/engine\/src\/(?:index|transports\/stdio\/.*|server\/(?:asking\/kit|methods\/beyond-tools|results\/open|tasks\/.*))\.ts$/,
  task: /^packages\/toolwright\/src\/(?:cli\/commands\/task|storage\/ledger\/open-ledger|packs\/todo\/store\/todo-ledger)\.ts$/,
  threats: /^packages\/toolwright\/src\/cli\/commands\/threats\.ts$/,
};

/** Builds it into `folder`, and gives the names of all files that were read. */
export async function buildProgram(options, folder) {
  const { metafile } = await build({
    ...options,
    entryPoints: {
      main: `${SOURCES}/cli/main.ts`,
      "analysis-worker": `${SOURCES}/packs/analysis/project/worker.ts`,
      "knowledge-reader": `${SOURCES}/packs/knowledge/documents/reader-worker.ts`,
    },
    outdir: folder,
    conditions: ["@toolwright/source"],
    // Some packages have their older form as "main", whose calls of `require` cannot be seen from outside.
    mainFields: ["module", "main"],
    define: { "import.meta.url": "__here" },
    plugins: [importUnknown, loadSeldom, stayOutside((name) => OUTSIDE.has(name))],
    metafile: true,
  });
  const names = packParts(metafile.outputs, folder, (importedBy) => fileOf(metafile.outputs, importedBy));
  const beginnings = ["main", "analysis-worker", "knowledge-reader"];
  await build({
    ...options,
    entryPoints: beginnings.map((name) => `${SOURCES}/launch/${name}.ts`),
    outdir: folder,
    format: "cjs",
    splitting: false,
    define: {
      BEGINNINGS: JSON.stringify(Object.fromEntries(beginnings.map((name) => [name, names.get(`${name}.js`)]))),
    },
  });
  // Node runs it in the processes of other programs, too, which have modules of their own.
  const hooks = await build({
    ...options,
    entryPoints: [`${SOURCES}/dev/typescript-hooks.ts`],
    outdir: folder,
    format: "cjs",
    splitting: false,
    define: { "import.meta.url": "__here" },
    banner: { js: 'const __here=require("node:url").pathToFileURL(__filename).href;' },
    metafile: true,
  });
  return { ...metafile.inputs, ...hooks.metafile.inputs };
}

/** The file for each output: by who loads it at once, and else by its subject. */
function fileOf(outputs, importedBy) {
  const loaded = Object.entries(WAITED_FOR).map(([name, entry]) => [name, loadedAtOnce(outputs, importedBy, entry)]);
  return (output) => {
    const waiting = loaded.filter(([, files]) => files.has(output)).map(([name]) => name);
    if (waiting.includes("main") || waiting.length > 1) return "first";
    return waiting[0] ?? subjectOf(outputs[output]);
  };
}

/** The outputs of the entries, and all that they import before they run. */
function loadedAtOnce(outputs, importedBy, entry) {
  const files = new Set(Object.keys(outputs).filter((file) => entry.test(outputs[file].entryPoint ?? "")));
  for (const file of files) for (const imported of importedBy(file)) files.add(imported);
  return files;
}

/** What most of it is about: a pack, the engine, packages of others, or the command. */
function subjectOf({ inputs, entryPoint = "" }) {
  const [first] = Object.entries(inputs).sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput);
  const largest = first?.[0] ?? entryPoint;
  const [, pack] = /^packages\/toolwright\/src\/packs\/([^/]+)\//.exec(largest) ?? [];
  if (pack !== undefined) return pack;
  if (largest.includes("node_modules/")) return "packages";
  return largest.startsWith("packages/engine/") ? "engine" : "command";
}
