import path from "node:path";
import type { LinkedFile, Resolver, Target } from "../graph.js";
import type { Manifest } from "../manifests.js";

/** Go: packages are folders below a go.mod; of a package those files count that declare what is taken. */
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
