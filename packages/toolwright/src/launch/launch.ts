import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { CodeCache } from "./code-cache.js";

/** A chunk of the program: a CommonJS module, written by the build as a method of a script file. */
type Chunk = (exports: object, require: Require, module: { exports: object }, filename: string) => void;
type Require = (id: string) => unknown;

/** The script file of each chunk, defined by the build. */
declare const FILE_OF_CHUNK: Readonly<Record<string, string>>;
/** Used once: the build puts a literal of hundreds of members in its place. */
const fileOfChunk = new Map(Object.entries(FILE_OF_CHUNK));

/** Runs a chunk of the program, whose script files are in `folder`. */
export function launch(entry: string, folder: string): void {
  // Globs set this flag. Set before anything is compiled, it does not keep code out of the cache, which depends on the flags of V8.
  process.getBuiltinModule("node:v8").setFlagsFromString("--enable-experimental-regexp-engine-on-excessive-backtracks");
  const cache = new CodeCache();
  const files = new Map<string, Readonly<Record<string, Chunk>>>();
  const loaded = new Map<string, { exports: object }>();
  const main = path.join(folder, "main.js");
  /** Loads what is not bundled. */
  const nodeRequire: Require = createRequire(main);

  function openFile(name: string): Readonly<Record<string, Chunk>> {
    const filename = path.join(folder, `${name}.js`);
    // The build writes ASCII only, and Latin-1 needs no decoding.
    const chunks = cache.compile(filename, readFileSync(filename, "latin1")).runInThisContext() as Record<
      string,
      Chunk
    >;
    files.set(name, chunks);
    return chunks;
  }

  function load(id: string): unknown {
    const name = id.startsWith("./") ? id.slice(2) : "";
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const file = fileOfChunk.get(name);
    if (file === undefined) return nodeRequire(id);
    const module = { exports: {} };
    loaded.set(name, module);
    try {
      (files.get(file) ?? openFile(file))[name]?.(module.exports, load, module, main);
    } catch (error) {
      // After an import that failed, the next one tries again.
      loaded.delete(name);
      throw error;
    }
    return module.exports;
  }

  load(`./${entry}.js`);
}
