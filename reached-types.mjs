// The declarations that an author's program can come by: those that an entry imports, and those import in turn.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";

const imported = /(?:\bfrom\s*|\bimport\s*\(?\s*)["'](\.{1,2}\/[^"']+)\.js["']/g;

/** Removes every declaration below a folder that none of the entries leads to. */
export function keepReachedTypes(folder, entries) {
  const reached = new Set(entries.map((name) => path.join(folder, `${name}.d.ts`)));
  for (const file of reached) {
    for (const [, target] of readFileSync(file, "utf8").matchAll(imported)) {
      const other = path.join(path.dirname(file), `${target}.d.ts`);
      if (!existsSync(other)) throw new Error(`Cannot follow ${target} from ${file}: there is no such declaration`);
      reached.add(other);
    }
  }
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".d.ts"));
  for (const name of all) if (!reached.has(path.join(folder, name))) rmSync(path.join(folder, name));
}
