// esbuild puts what several files share into files of their own, and each costs time at start. This merges those that an entry loads
// at start into one; what is loaded later imports from there.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { fitMap } from "./source-maps.mjs";

/** Merges what `entry` imports at start into a file. `outputs` is what esbuild says of the files that it has made in `folder`. */
export async function mergeStart(options, outputs, folder, { entry, name }) {
  const modules = Object.entries(outputs).filter(([file]) => file.endsWith(".js"));
  const files = new Map(modules.map(([file, output]) => [path.basename(file), output]));
  const parts = [...filesAtStart(files, entry)];
  const own = files.get(entry).exports;
  const shared = new Map(own.map((thing) => [faceOf(thing, entry), thing]));
  const share = (thing, part) => {
    const face = faceOf(thing, part);
    // Two parts may each have a thing of the same name.
    if (!shared.has(face)) shared.set(face, `$${(shared.size - own.length).toString(36)}`);
    return shared.get(face);
  };
  for (const file of files.keys())
    if (!parts.includes(file)) rewriteImports(path.join(folder, file), name, parts, share);
  await build({
    ...options,
    stdin: {
      contents: [...shared].map(([face, as]) => face.replace(" }", ` as ${as} }`)).join("\n"),
      resolveDir: folder,
    },
    outfile: path.join(folder, name),
    plugins: [laterOutside],
    logOverride: { "ignored-bare-import": "silent" },
  });
  for (const part of parts) for (const end of ["", ".map"]) rmSync(path.join(folder, part + end));
  writeFileSync(path.join(folder, entry), `export { ${own.join(", ")} } from "./${name}";\n`);
}

const faceOf = (thing, part) => `export { ${thing} } from "./${part}";`;

/** The entry, and all that it imports before it runs. */
function filesAtStart(files, entry) {
  const found = new Set([entry]);
  for (const file of found) {
    for (const { path: imported, kind, external } of files.get(file).imports)
      if (kind === "import-statement" && external !== true) found.add(path.basename(imported));
  }
  return found;
}

/** Rewrites what a file imports from the parts, and leaves out imports that take nothing. */
function rewriteImports(file, name, parts, share) {
  const statements = /\bimport\s*(?:\{(?<names>[^{}]*)\}\s*from\s*)?"\.\/(?<part>[\w.-]+)";/g;
  const taken = [];
  const before = readFileSync(file, "utf8");
  let edited = 0;
  const text = before.replaceAll(statements, (statement, names, part, at) => {
    // Nothing of the engine does anything when it is loaded, so an import that takes nothing is none.
    if (names !== undefined && !parts.includes(part)) return statement;
    edited = at + statement.length;
    for (const each of names?.split(",") ?? []) {
      const [given, known = given] = each.trim().split(/\s+as\s+/);
      taken.push(`${share(given, part)} as ${known}`);
    }
    return "";
  });
  const start = taken.length === 0 ? "" : `import{${taken.join(",")}}from"./${name}";`;
  const after = `${start}${text.trimStart()}`;
  writeFileSync(file, after);
  fitMap(`${file}.map`, before, after, edited);
}

/** Leaves outside what is loaded later. */
const laterOutside = {
  name: "later outside",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\// }, ({ kind, path: file }) =>
      kind === "dynamic-import" ? { path: file, external: true } : undefined,
    ),
};
