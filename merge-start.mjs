// esbuild puts what the entry shares with the files that are loaded later into files of their own, and each costs time at start.
// This makes one file, `engine.js`, of all that a start loads; the later files import from there, and `index.js` gives the public
// face of it alone.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

/** Merges what `index.js` imports at start. `outputs` is what esbuild says of the files that it has made in `folder`. */
export async function mergeStart(options, outputs, folder) {
  const files = new Map(Object.entries(outputs).map(([file, output]) => [path.basename(file), output]));
  const names = files.get("index.js").exports.join(", ");
  const parts = [...filesAtStart(files)];
  const face = new Set([`export { ${names} } from "./index.js";`]);
  for (const file of files.keys()) if (!parts.includes(file)) importFromEngine(path.join(folder, file), parts, face);
  const stayOutside = {
    name: "later files stay outside",
    setup: ({ onResolve }) =>
      onResolve({ filter: /./ }, (file) =>
        file.kind === "dynamic-import" ? { path: file.path, external: true } : undefined,
      ),
  };
  await build({
    ...options,
    stdin: { contents: [...face].join("\n"), resolveDir: folder },
    outfile: path.join(folder, "engine.js"),
    plugins: [stayOutside],
    logOverride: { "ignored-bare-import": "silent" },
  });
  for (const part of parts) rmSync(path.join(folder, part));
  writeFileSync(path.join(folder, "index.js"), `export { ${names} } from "./engine.js";\n`);
}

/** The entry, and all that it imports before it runs. */
function filesAtStart(files) {
  const found = new Set(["index.js"]);
  for (const file of found) {
    for (const { path: imported, kind } of files.get(file).imports)
      if (kind === "import-statement") found.add(path.basename(imported));
  }
  return found;
}

/** Rewrites the imports of a later file, and adds what it needs to the face of `engine.js`. */
function importFromEngine(file, parts, face) {
  const statements = /\bimport\s*(?:\{(?<names>[^{}]*)\}\s*from\s*)?"\.\/(?<part>[\w.-]+)";/g;
  const text = readFileSync(file, "utf8").replaceAll(statements, (statement, names, part) => {
    const at = parts.indexOf(part);
    if (at === -1) return statement;
    if (names === undefined) return "";
    const own = names.split(",").map((name) => {
      const [given, known = given] = name.trim().split(/\s+as\s+/);
      // Two parts may each have a thing of the same name.
      face.add(`export { ${given} as ${given}_${at} } from "./${part}";`);
      return `${given}_${at} as ${known}`;
    });
    return `import { ${own.join(", ")} } from "./engine.js";`;
  });
  writeFileSync(file, text);
}
