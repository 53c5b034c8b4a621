import path from "node:path";
import type { Resolver, Target } from "../graph.js";
import { joined } from "../manifests.js";

/** C, C++ and Ruby: paths, relative or as seen from a folder that only the build knows. */
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

  /** Of the files whose paths end so the one that lies nearest. */
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
