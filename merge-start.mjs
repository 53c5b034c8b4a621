// esbuild puts what several files share into files of their own, and each costs time at start. This merges them into as few as can
// be: one for all that the same entries load at start. What is loaded later imports from there.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

/**
 * Merges what `entries` import at start into files whose names begin with `name`. `outputs` is what esbuild says of the files that
 * it has made in `folder`; what `apart` loads at start stays as it is.
 */
export async function mergeStart(options, outputs, folder, { entries, name, apart = [] }) {
  const files = new Map(Object.entries(outputs).map(([file, output]) => [path.basename(file), output]));
  const merged = mergedFileOf(files, { entries, name, apart });
  const faces = new Map([...merged.values()].map((file) => [file, new Set()]));
  const share = (thing, part) => {
    // Two parts may each have a thing of the same name.
    const shared = `${thing}_${[...merged.keys()].indexOf(part)}`;
    faces.get(merged.get(part)).add(`export { ${thing} as ${shared} } from "./${part}";`);
    return shared;
  };
  for (const file of files.keys()) rewriteImports(path.join(folder, file), merged, share);
  const left = entries.map((entry) => [entry, entryText(files.get(entry).exports, entry, merged, share)]);
  for (const [file, face] of faces)
    await build({
      ...options,
      stdin: { contents: [...face].join("\n"), resolveDir: folder },
      outfile: path.join(folder, file),
      plugins: [stayOutside((imported) => merged.get(imported) !== file)],
      logOverride: { "ignored-bare-import": "silent" },
    });
  for (const part of merged.keys()) rmSync(path.join(folder, part));
  for (const [entry, text] of left) writeFileSync(path.join(folder, entry), text);
}

/** For each file that is merged, the one it goes into: those that the same entries load go together. */
function mergedFileOf(files, { entries, name, apart }) {
  const outside = filesAtStart(files, apart);
  const loaded = entries.map((entry) => filesAtStart(files, [entry]));
  const parts = [...filesAtStart(files, entries)].filter((file) => !outside.has(file));
  const users = parts.map((part) => loaded.map((all) => (all.has(part) ? 1 : 0)).join(""));
  const groups = [...new Set(users)];
  const fileOf = (group) => (groups.length === 1 ? `${name}.js` : `${name}-${groups.indexOf(group) + 1}.js`);
  return new Map(parts.map((part, index) => [part, fileOf(users[index])]));
}

/** The entries, and all that they import before they run. */
function filesAtStart(files, entries) {
  const found = new Set(entries);
  for (const file of found) {
    for (const { path: imported, kind, external } of files.get(file).imports)
      if (kind === "import-statement" && external !== true) found.add(path.basename(imported));
  }
  return found;
}

/** Rewrites the imports of a file from parts that go elsewhere. */
function rewriteImports(file, merged, share) {
  const own = merged.get(path.basename(file));
  const statements = /\bimport\s*(?:\{(?<names>[^{}]*)\}\s*from\s*)?"\.\/(?<part>[\w.-]+)";/g;
  const text = readFileSync(file, "utf8").replaceAll(statements, (statement, names, part) => {
    const into = merged.get(part);
    if (into === undefined || into === own) return statement;
    if (names === undefined) return "";
    const things = names.split(",").map((each) => {
      const [given, known = given] = each.trim().split(/\s+as\s+/);
      return `${share(given, part)} as ${known}`;
    });
    return `import { ${things.join(", ")} } from "./${into}";`;
  });
  writeFileSync(file, text);
}

/** What is left of an entry: its part of the merged file. */
function entryText(names, entry, merged, share) {
  const own = names.map((name) => `${share(name, entry)} as ${name}`);
  return `export { ${own.join(", ")} } from "./${merged.get(entry)}";\n`;
}

/** Leaves outside what is loaded later, and what is no part. */
const stayOutside = (isOutside) => ({
  name: "stay outside",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\// }, (file) =>
      file.importer !== "<stdin>" && (file.kind === "dynamic-import" || isOutside(path.basename(file.path)))
        ? { path: file.path, external: true }
        : undefined,
    ),
});
