// The program is hundreds of modules and few files: a file costs time at start, and V8 keeps what it compiled by files. This makes
// parts of a few files of the modules that esbuild has built; packages/toolwright/src/launch/launch.ts runs them when they are asked for.
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import path from "node:path";
import { Script } from "node:vm";

/** Follows the name of what is not built in, so that an import of it is told from a text that looks like one. */
const MARK = "#outside";

/** Leaves out what Node has, and the packages that `isOutside` names. */
export const stayOutside = (isOutside) => ({
  name: "stay outside",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path: name, kind }) => {
      if (!isBuiltin(name) && !isOutside(name)) return undefined;
      return { path: kind === "require-call" ? name : name + MARK, external: true };
    }),
});

/** Marks an import of what only the running program knows, in the folders that have no text of other programs. */
export const importUnknown = {
  name: "import unknown",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/toolwright\/src\/(?:cli|dev)\/.*\.ts$/ }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      return { contents: text.replaceAll(/\bawait import\((?=[\w$])/g, "await __later("), loader: "ts" };
    }),
};

/** What takes milliseconds to load, and no start needs. */
const SELDOM = new Set(["node:crypto", "node:fs/promises", "node:perf_hooks"]);

/** Loads some of Node's modules when the first of their functions is called. */
export const loadSeldom = {
  name: "load seldom",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:/ }, ({ path: name, kind }) =>
      kind === "import-statement" && SELDOM.has(name) ? { path: name, namespace: "seldom" } : undefined,
    );
    onLoad({ filter: /./, namespace: "seldom" }, ({ path: name }) => {
      const functions = Object.entries(process.getBuiltinModule(name)).filter(([, value]) => isPlainFunction(value));
      const faces = functions.map(
        ([key]) => `export const ${key} = (...given) => process.getBuiltinModule("${name}").${key}(...given);`,
      );
      return { contents: faces.join("\n") };
    });
  },
};

const isPlainFunction = (value) => typeof value === "function" && !/^class\b/.test(String(value));

/**
 * Puts the modules that esbuild has made in `folder` into files there; `outputs` is what it says of them. `choose` is given what each
 * of them imports, and tells the file that a module goes into. Gives the names by which the parts are asked for.
 */
export function packParts(outputs, folder, choose) {
  const texts = new Map(Object.keys(outputs).map((output) => [output, readFileSync(inFolder(folder, output), "utf8")]));
  const byFile = new Map(Object.keys(outputs).map((output) => [path.basename(output), output]));
  const fileOf = choose((output) => importedBy(texts.get(output)).map((file) => byFile.get(file)));
  const names = new Map(
    [...byFile].map(([file, output]) => [file, `./${fileOf(output)}/${path.basename(file, ".js")}`]),
  );
  const files = new Map();
  for (const [output, text] of texts) {
    const [, file, part] = names.get(path.basename(output)).split("/");
    // A process begins with it, and it may wait.
    const isFirst = outputs[output].entryPoint !== undefined && !/-[A-Z\d]{8}\.js$/.test(output);
    const written = `${isFirst ? "async " : ""}"${part}"(exports,require,__later,__here){${toBody(text, names)}}`;
    files.set(file, [...(files.get(file) ?? []), written]);
    rmSync(inFolder(folder, output));
  }
  for (const [file, parts] of files) writeParts(path.join(folder, `${file}.js`), parts);
  return names;
}

const inFolder = (folder, output) => path.join(folder, path.basename(output));

/** Nothing that is built in does anything when it is loaded, so an import that takes nothing is none. */
const importedBy = (text) =>
  [...text.matchAll(IMPORT)].flatMap(({ groups }) => (groups.clause && groups.own !== undefined ? [groups.own] : []));

/** The first line tells this text from all others. */
function writeParts(file, parts) {
  const text = `"use strict";({\n${parts.join(",\n")}\n})\n`;
  const stamp = createHash("sha256").update(text).digest("hex").slice(0, 16);
  writeFileSync(file, `//${stamp}\n${text}`);
  // Whatever was not understood here is no JavaScript any more.
  compile(text, file);
}

const compile = (text, filename) => new Script(text, { filename });

const IMPORT =
  /\bimport\s*(?:(?<clause>[\w$\s{},*]*?)\s*from\s*)?"(?:(?<outside>[^"\n]+)#outside|\.\/(?<own>[\w.-]+))";/g;
const LATER = /\bimport\(\s*"(?:(?<outside>[^"\n]+)#outside|\.\/(?<own>[\w.-]+))"\s*\)/g;
const EXPORT = /\bexport\s*(?:\{(?<names>[^{}]*)\}|default\s+(?<value>[\w$]+\(\)));\s*$/;

/** The body of a function that does what a module does. */
function toBody(text, names) {
  const head = [];
  const body = text
    .replace(/^#!.*\n/, "")
    .replaceAll(IMPORT, (statement, clause, outside, own) => {
      if (outside === undefined && !names.has(own)) return statement;
      if (clause) head.push(toRequire(clause, outside ?? names.get(own)));
      return "";
    })
    .replaceAll(LATER, (call, outside, own) =>
      outside === undefined && !names.has(own) ? call : `__later("${outside ?? names.get(own)}")`,
    )
    .replace(EXPORT, (_statement, given, value) =>
      value === undefined
        ? pairsIn(given)
            .map(([own, face]) => `exports.${face}=${own};`)
            .join("")
        : // A package of the older form: as with Node, what it has is there by name too.
          `{const whole=${value};Object.assign(exports,whole,{default:whole});}`,
    );
  return toAscii(head.join("") + body);
}

function toRequire(clause, name) {
  const [, whole, given] = /^(?:(?:\*\s*as\s+)?([\w$]+))?\s*,?\s*(?:\{([^]*)\})?$/.exec(clause.trim());
  const pairs = given === undefined ? [] : [`{${pairsIn(given).map((pair) => pair.join(":"))}}`];
  const taken = [...(whole === undefined ? [] : [whole]), ...pairs];
  return taken.map((each) => `const ${each}=require("${name}");`).join("");
}

/** `a as b, c` as pairs. */
function pairsIn(names) {
  const each = names.split(",").map((name) => name.trim());
  return each
    .filter((name) => name !== "")
    .map((name) => {
      const [first, second = first] = name.split(/\s+as\s+/);
      return [first, second];
    });
}

/** A text of one byte a character is read at once. Only regular expressions and templates have others left. */
const toAscii = (text) =>
  text.replaceAll(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
