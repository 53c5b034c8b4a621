import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { CodeCache } from "./code-cache.js";

/** Gives a module of the program by the file that it is in and its name there, and all else as Node does. */
type Load = (name: string) => object;

/** One module of the program, as the build writes it into a file with others. */
type Part = (exports: object, load: Load, later: (name: string) => Promise<object>, here: string) => void;
type Parts = Readonly<Record<string, Part>>;

/** Where each part that a process can begin with is; the build knows. */
declare const BEGINNINGS: Readonly<Record<string, string>>;

/** Runs the program, which is built into files in `folder`, from a part of it. `foreign` gives what is not built in. */
export function launch(beginning: string, folder: string, foreign: Load): void {
  const cache = new CodeCache();
  const files = new Map<string, Parts>();
  const loaded = new Map<string, object>();
  const here = pathToFileURL(path.join(folder, "main.js")).href;

  function open(file: string): Parts {
    const filename = path.join(folder, `${file}.js`);
    const parts = cache.compile(filename, readFileSync(filename, "latin1")).runInThisContext() as Parts;
    files.set(file, parts);
    return parts;
  }

  function load(name: string): object {
    if (!name.startsWith("./")) return foreign(name);
    const known = loaded.get(name);
    if (known !== undefined) return known;
    const [, file = "", part = ""] = name.split("/");
    const exports = {};
    loaded.set(name, exports);
    try {
      (files.get(file) ?? open(file))[part]?.(exports, load, later, here);
    } catch (error) {
      // As with any import that failed, the next one tries again.
      loaded.delete(name);
      throw error;
    }
    return exports;
  }

  const later = async (name: string): Promise<object> => (name.startsWith("./") ? load(name) : import(name));
  load(BEGINNINGS[beginning] ?? "");
}
