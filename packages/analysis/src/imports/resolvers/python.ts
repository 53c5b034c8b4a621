import path from "node:path";
import type { Resolver, Target } from "../graph.js";
import { foldersAbove, joined } from "../manifests.js";

/** Resolves imports of Python: relative modules, and packages by name from every folder that can contain one. */
export function pythonResolver(files: ReadonlySet<string>): Resolver {
  const modules = modulesOf(files);
  return ({ path: own, facts }) =>
    facts.imports.map(({ from, names = [] }): Target => {
      const found = from.startsWith(".") ? relative(own, from, names) : absolute(own, from, names);
      if (found.length > 0) return { files: found };
      return from.startsWith(".") ? { missing: true } : { external: from.split(".")[0] ?? from };
    });

  function relative(own: string, from: string, names: readonly string[]): string[] {
    const dots = /^\.+/.exec(from)?.[0].length ?? 1;
    const start = joined(path.posix.dirname(own), "../".repeat(dots - 1) || ".");
    const rest = from.slice(dots).replaceAll(".", "/");
    const base = start === undefined ? undefined : joined(start, rest || ".");
    return base === undefined ? [] : moduleOrNames(base === "." ? "" : base, names);
  }

  /** A name that is imported from a package can be one of its modules. */
  function moduleOrNames(base: string, names: readonly string[]): string[] {
    const parts = names.map((name) => moduleAt(joined(base, name) ?? name));
    const own = moduleAt(base);
    const isNeeded = names.length === 0 || parts.includes(undefined);
    return [...parts, isNeeded ? own : undefined].filter((each) => each !== undefined);
  }

  function moduleAt(base: string): string | undefined {
    return [`${base}.py`, `${base}.pyi`, base === "" ? "__init__.py" : `${base}/__init__.py`].find((each) =>
      files.has(each),
    );
  }

  function absolute(own: string, from: string, names: readonly string[]): string[] {
    const base = from.replaceAll(".", "/");
    for (const root of [...foldersAbove(path.posix.dirname(own)), "src"]) {
      const found = moduleOrNames(joined(root, base) ?? base, names);
      if (found.length > 0) return found;
    }
    const known = modules.get(from);
    if (known === undefined) return [];
    const parts = names.map((name) => modules.get(`${from}.${name}`) ?? known);
    return [...new Set(parts.length === 0 ? [known] : parts)];
  }
}

/** Modules by their full names. A top-level package is one whose parent folder has no `__init__.py`. */
function modulesOf(files: ReadonlySet<string>): Map<string, string> {
  const modules = new Map<string, string>();
  for (const file of files) {
    if (!/\.pyi?$/.test(file)) continue;
    const names = [path.posix.basename(file).replace(/\.pyi?$/, "")];
    let folder = path.posix.dirname(file);
    while (folder !== "." && files.has(`${folder}/__init__.py`)) {
      names.unshift(path.posix.basename(folder));
      folder = path.posix.dirname(folder);
    }
    if (names.at(-1) === "__init__") names.pop();
    if (!modules.has(names.join("."))) modules.set(names.join("."), file);
  }
  return modules;
}
