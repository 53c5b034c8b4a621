// How rolldown bundles the two packages. The output stays readable: nothing is minified and names are kept.
import { readFileSync } from "node:fs";

const ENGINE = "packages/engine";
const PROGRAM = "packages/toolwright/src";

const { exports: engineExports } = JSON.parse(readFileSync(new URL(`../${ENGINE}/package.json`, import.meta.url)));

/** The source file of each entry point of the engine by name, from `exports` in its package.json. */
export const ENGINE_ENTRIES = Object.fromEntries(
  Object.values(engineExports).map((entry) => {
    const source = entry["@toolwright/source"];
    return [source.slice("./src/".length, -".ts".length), `${ENGINE}/${source}`];
  }),
);

/** What all bundles have in common. */
export const shared = {
  platform: "node",
  transform: { target: "node20.19" },
  // Some packages have UMD as "main", whose calls of `require` a bundler cannot follow.
  resolve: { conditionNames: ["@toolwright/source", "node", "import"], mainFields: ["module", "main"] },
  // A dynamic import of a module that is also imported statically is intended: it is free once the module is loaded.
  checks: { ineffectiveDynamicImport: false },
};

/** The engine: ES modules. What `index.ts` imports statically is one chunk, because each file costs time at start-up. */
export const engineConfig = {
  ...shared,
  input: ENGINE_ENTRIES,
  output: {
    format: "esm",
    comments: false,
    sourcemap: true,
    chunkFileNames: "chunks/[name].js",
    minifyInternalExports: false,
    codeSplitting: { groups: [{ name: "start", test: /packages[\\/]engine[\\/]src[\\/]index\.ts$/ }] },
  },
};

/** The program: CommonJS, which Node loads faster than ES modules. Packages with files or native code of their own stay external. */
export const programConfig = {
  ...shared,
  input: {
    main: `${PROGRAM}/cli/main.ts`,
    "analysis-worker": "packages/analysis/src/project/worker.ts",
    "knowledge-reader": "packages/knowledge/src/documents/reader-worker.ts",
    "templates-worker": "packages/templates/src/rendering/worker.ts",
    "threats-worker": "packages/threats/src/review/scan-worker.ts",
    "workstation-worker": "packages/workstation/src/builds/workflow-worker.ts",
  },
  external: [
    "@photostructure/sqlite",
    "@toolwright/sqlite",
    "@vscode/ripgrep",
    "onnxruntime-node",
    "pg",
    "unpdf",
    "web-tree-sitter",
  ],
  plugins: [
    {
      name: "import-module",
      resolveId: (source) =>
        source.endsWith("/import-module.js") ? { id: "./import-module.js", external: true } : undefined,
    },
  ],
  output: {
    format: "cjs",
    comments: false,
    chunkFileNames: "[name].js",
    // V8 has no `import()` in code that comes from its cache: external packages are loaded with `require`.
    dynamicImportInCjs: false,
    // Otherwise a part of the server can be in the chunk of HTTP, which a start over stdio would then load.
    codeSplitting: { groups: [{ name: "create-server", test: /packages[\\/]engine[\\/]src[\\/]create-server\.ts$/ }] },
  },
};

/** A single CommonJS file without chunks. `define` replaces global names with constants. */
export const singleFileConfig = (name, source, define = {}) => ({
  ...shared,
  transform: { ...shared.transform, define },
  input: { [name]: `${PROGRAM}/${source}` },
  output: { format: "cjs", comments: false, codeSplitting: false },
});
