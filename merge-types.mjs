// tsc writes a file of declarations for each module. This makes one of all that the entries lead to: most of what it spares is what
// modules import from each other.
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readReached, resolve } from "./reached-types.mjs";

/** Merges the declarations below a folder into the file `name`; each entry has one that says what it takes from there. */
export function mergeTypes(folder, entries, name) {
  const modules = readReached(folder, entries);
  const faces = entries.map((entry) => modules.get(path.join(folder, `${entry}.d.ts`)));
  const inner = [...modules.values()].filter((module) => !faces.includes(module));
  const names = nameAll(inner);
  const exported = new Set();
  const texts = faces.map((face) => toEntry(face, `./${name}.js`, names, exported));
  const body = inner.flatMap((module) =>
    [...module.statements]
      .filter((one) => module.kept.has(one) && one.name !== undefined)
      .map((one) => toInner(module, one, names, exported)),
  );
  for (const file of readdirSync(folder, { withFileTypes: true })) {
    if (file.isDirectory() || file.name.endsWith(".d.ts")) rmSync(path.join(folder, file.name), { recursive: true });
  }
  for (const [at, face] of faces.entries()) writeFileSync(face.file, texts[at]);
  writeFileSync(path.join(folder, `${name}.d.ts`), `${importsOf(names)}${narrow(body.join(""))}export {};\n`);
}

const keyOf = ({ module, from, name }) => `${module?.file ?? from} ${name}`;

/** Names for all declarations and for what is imported, of which no two are the same, nor that of a thing that is everywhere. */
function nameAll(modules) {
  const names = new Map();
  const used = new Set(modules.flatMap((module) => [...wordsOf(module)].filter((word) => !resolve(module, word))));
  const give = (thing) => {
    if (names.has(keyOf(thing))) return;
    let name = thing.name;
    for (let next = 2; used.has(name); next++) name = `${thing.name}_${next}`;
    used.add(name);
    names.set(keyOf(thing), { ...thing, given: name });
  };
  for (const module of modules) {
    for (const { name } of module.kept) if (name !== undefined) give({ module, name });
    for (const word of wordsOf(module)) {
      const found = resolve(module, word);
      if (found?.from !== undefined) give(found);
    }
  }
  return names;
}

/** The words that may name a type; those of functions and constants never name what is everywhere. */
const wordsOf = ({ kept }) =>
  new Set([...kept].flatMap(({ code }) => [...code.matchAll(/(?<![\w$.])[A-Z][\w$]*/g)].map(([word]) => word)));

function importsOf(names) {
  const outside = [...names.values()].filter(({ from }) => from !== undefined);
  return outside
    .map(({ from, name, given }) => `import type{${pair(name, given)}}from${JSON.stringify(from)};\n`)
    .join("");
}

const pair = (theirs, ours) => (theirs === ours ? ours : `${theirs} as ${ours}`);

/** A declaration under its new name, said with the new names of others. What has no name for authors has no comments. */
function toInner(module, { text, code, name }, names, exported) {
  const { given: own } = names.get(keyOf({ module, name }));
  const isFace = exported.has(own);
  const renamed = (isFace ? text : code).replaceAll(/\/\*\*[^]*?\*\/|(?<![\w$.])[A-Za-z_$][\w$]*/g, (word) => {
    const found = word.startsWith("/") ? undefined : resolve(module, word);
    return found === undefined ? word : (names.get(keyOf(found))?.given ?? word);
  });
  const start = isFace ? "export " : /^(?:export )?(?:interface|type)\b/.test(code) ? "" : "declare ";
  return renamed.replace(/^(?<comments>(?:\/\*\*[^]*?\*\/\s*)*)(?:export )?(?:declare )?/, `$<comments>${start}`);
}

/** The declarations of an entry: lists of what it takes from the merged file, and its own. */
function toEntry(module, merged, names, exported) {
  const lists = { import: [], type: [], export: [] };
  const take = (kind, ours) => {
    const { given } = names.get(keyOf(resolve(module, ours)));
    exported.add(given);
    lists[kind].push(pair(given, ours));
  };
  const own = [...module.kept].filter(({ name }) => name !== undefined);
  for (const { list } of module.statements) {
    if (list?.word === "export") for (const [, ours] of list.pairs) take(list.type ? "type" : "export", ours);
    else for (const [, ours] of list?.pairs ?? []) if (own.some(({ code }) => says(code, ours))) take("import", ours);
  }
  const start = { import: "import type", type: "export type", export: "export" };
  const heads = Object.keys(lists).filter((kind) => lists[kind].length > 0);
  const taken = heads.map((kind) => `${start[kind]}{${lists[kind].join(",")}}from"${merged}";\n`);
  return `${taken.join("")}${narrow(own.map(({ text }) => text).join(""))}export {};\n`;
}

const says = (code, name) => new RegExp(`(?<![\\w$.])${name.replaceAll("$", "\\$")}(?![\\w$])`).test(code);

/** Not indented, without spaces that mean nothing, members without a semicolon, comments in one line each: editors lay out what they show. */
const narrow = (text) =>
  text
    .replaceAll(
      /\/\*\*\n\s*\* (.*(?:\n\s*\* .*)*)\n\s*\*\//g,
      (_, lines) => `/** ${lines.replaceAll(/\n\s*\*/g, "")} */`,
    )
    .replaceAll(/\/\*\* (?!\/)(.*) \*\/$/gm, "/**$1*/")
    .replaceAll(/^( {4}.*);$/gm, "$1")
    .replaceAll(/^(?: {4})+/gm, "")
    .replaceAll(/\/\*[^]*?\*\/|"(?:\\.|[^"\\])*"|`[^`]*`| ?([:,|&{}]|=>|=) ?/g, (found, mark) => mark ?? found);
