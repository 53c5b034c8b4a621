import path from "node:path";
import type { LinkedFile, Resolver, Target } from "../graph.js";
import { joined, type Manifest } from "../manifests.js";

/** Resolves includes of C and C++ and requires of Ruby: relative paths, or paths in a folder that only the build knows. */
export function pathResolver(files: ReadonlySet<string>): Resolver {
  const byName = new Map<string, string[]>();
  for (const file of files) {
    const name = path.posix.basename(file);
    byName.set(name, [...(byName.get(name) ?? []), file]);
  }
  return ({ path: own, language, facts }) =>
    facts.imports.map(({ from }) => (language === "ruby" ? ruby(own, from) : include(own, from)));

  function include(own: string, from: string): Target {
    const isSystem = from.startsWith("<");
    const name = from.replaceAll(/^<|>$/g, "");
    const beside = isSystem ? undefined : joined(path.posix.dirname(own), name);
    if (beside !== undefined && files.has(beside)) return { files: [beside] };
    const found = endingWith(own, name);
    if (found !== undefined && (!isSystem || /(?:^|\/)(?:include|inc)\//.test(found) || name.includes("/")))
      return { files: [found] };
    return isSystem ? { external: name } : { missing: true };
  }

  function ruby(own: string, from: string): Target {
    const name = from.endsWith(".rb") ? from : `${from}.rb`;
    if (from.startsWith(".")) {
      const beside = joined(path.posix.dirname(own), name);
      return beside !== undefined && files.has(beside) ? { files: [beside] } : { missing: true };
    }
    const found = endingWith(own, name);
    const isOwn = found !== undefined && (found === name || /(?:^|\/)(?:lib|app|spec|test)\//.test(found));
    return isOwn ? { files: [found] } : { external: from.split("/")[0] ?? from };
  }

  /** The nearest of the files whose paths end with the name. */
  function endingWith(own: string, name: string): string | undefined {
    const clean = name.replace(/^(?:\.{1,2}\/)+/, "");
    const fitting = (byName.get(path.posix.basename(clean)) ?? []).filter((each) => `/${each}`.endsWith(`/${clean}`));
    const shared = (each: string) => {
      let count = 0;
      while (count < each.length && each[count] === own[count]) count++;
      return count;
    };
    return fitting.toSorted((a, b) => shared(b) - shared(a) || a.length - b.length)[0];
  }
}

/** Resolves imports of Go: folders below a go.mod. Of a package only the files that declare what is used are linked. */
export function goResolver(files: readonly LinkedFile[], manifests: readonly Manifest[]): Resolver {
  const modules = manifests.flatMap(({ name, folder, text }): (readonly [name: string, folder: string])[] => {
    const said = name === "go.mod" ? /^module\s+"?([^\s"]+)/m.exec(text)?.[1] : undefined;
    return said === undefined ? [] : [[said, folder]];
  });
  modules.sort(([one], [other]) => other.length - one.length);
  const packages = new Map<string, LinkedFile[]>();
  for (const file of files) {
    if (file.language !== "go" || file.path.endsWith("_test.go")) continue;
    const folder = path.posix.dirname(file.path);
    packages.set(folder, [...(packages.get(folder) ?? []), file]);
  }
  return ({ facts }) =>
    facts.imports.map(({ from, names = [] }): Target => {
      const module = modules.find(([name]) => from === name || from.startsWith(`${name}/`));
      if (module === undefined) return { external: from };
      const folder = path.posix.join(module[1] || ".", from.slice(module[0].length + 1));
      const inside = packages.get(folder);
      if (inside === undefined) return { missing: true };
      const taken = new Set(names);
      const declaring = inside.filter(({ facts: { outline } }) => outline.some(({ name }) => taken.has(name)));
      return { files: (declaring.length > 0 ? declaring : inside.slice(0, 1)).map((file) => file.path) };
    });
}
