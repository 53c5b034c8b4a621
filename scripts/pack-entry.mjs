// Builds the entry point `toolwright/pack`: one ES module, and declarations that need no other package.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const ENTRY = "toolwright/src/pack.d.ts";

/** How rolldown bundles the entry point. */
export const packEntryConfig = {
  input: { pack: "packages/toolwright/src/pack.ts" },
  output: {
    format: "esm",
    comments: false,
    codeSplitting: false,
    entryFileNames: "[name].mjs",
  },
};

/** Writes the declarations of the entry point and of all that it names; `tsc` runs the compiler. */
export function writePackTypes(folder, tsc) {
  tsc(["-p", "packages/toolwright", "--outDir", folder]);
  for (const file of declarationsIn(folder)) {
    const full = path.join(folder, file);
    const up = path.relative(path.dirname(full), folder).replaceAll("\\", "/");
    writeFileSync(full, toRelativeImports(readFileSync(full, "utf8"), up));
  }
  // The types of a module, beside a program that is CommonJS.
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }\n');
  const reached = reachedFrom(folder, ENTRY);
  for (const file of declarationsIn(folder)) if (!reached.has(file)) rmSync(path.join(folder, file));
}

const declarationsIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith(".d.ts"))
    .map((file) => file.replaceAll("\\", "/"));

const toRelativeImports = (text, up) =>
  text.replaceAll(/"@toolwright\/(engine|kit)((?:\/[\w./-]+)?)"/g, (_, name, rest) => {
    const file = name === "engine" ? `${rest || "/index"}.js` : rest.endsWith(".js") ? rest : `${rest}/index.js`;
    return JSON.stringify(`${up}/${name}/src${file}`);
  });

/** The files to which imports lead from one of them. Examples in comments may name files that do not exist. */
function reachedFrom(folder, entry) {
  const all = new Set(declarationsIn(folder));
  const reached = new Set([entry]);
  for (const file of reached) {
    const text = readFileSync(path.join(folder, file), "utf8");
    for (const [, imported] of text.matchAll(/(?:from |import\()"(\.[^"]+)\.js"/g)) {
      const target = path.posix.join(path.posix.dirname(file), `${imported}.d.ts`);
      if (all.has(target)) reached.add(target);
    }
  }
  return reached;
}
