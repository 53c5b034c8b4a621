import type { Language } from "@toolwright/kit/syntax";
import type { ImportGraph, Link, LinkedFile, Resolver } from "./graph.js";
import type { Manifest } from "./manifests.js";
import { ecmascriptResolver } from "./resolvers/ecmascript.js";
import { pathResolver } from "./resolvers/files.js";
import { goResolver } from "./resolvers/go.js";
import { namedResolver } from "./resolvers/named.js";
import { pythonResolver } from "./resolvers/python.js";
import { rustResolver } from "./resolvers/rust.js";

/** Finds out which files of a project use which. */
export function buildGraph(files: readonly LinkedFile[], manifests: readonly Manifest[]): ImportGraph {
  const resolvers = resolversFor(files, manifests);
  const links = new Map<string, Link>();
  const external = new Map<string, Set<string>>();
  const unresolved: ImportGraph["unresolved"][number][] = [];
  for (const file of files) {
    for (const [index, target] of resolvers[file.language](file).entries()) {
      const { from, line, isTypeOnly = false } = file.facts.imports[index] as LinkedFile["facts"]["imports"][number];
      if (target === undefined) continue;
      if ("missing" in target) unresolved.push({ path: file.path, line, from });
      else if ("external" in target)
        external.set(target.external, (external.get(target.external) ?? new Set()).add(file.path));
      else
        for (const to of target.files) add({ from: file.path, to, line, isWeak: isTypeOnly || target.isWeak === true });
    }
  }
  return { files: files.map(({ path }) => path), links: [...links.values()], external, unresolved };

  function add(link: Link): void {
    if (link.from === link.to) return;
    const key = `${link.from}\0${link.to}`;
    const known = links.get(key);
    if (known === undefined) links.set(key, link);
    else if (known.isWeak && !link.isWeak) links.set(key, { ...known, isWeak: false });
  }
}

function resolversFor(files: readonly LinkedFile[], manifests: readonly Manifest[]): Record<Language, Resolver> {
  const paths = new Set(files.map(({ path }) => path));
  const ecmascript = ecmascriptResolver(paths, manifests);
  const named = namedResolver(files);
  const path = pathResolver(paths);
  return {
    typescript: ecmascript,
    tsx: ecmascript,
    javascript: ecmascript,
    python: pythonResolver(paths),
    rust: rustResolver(paths, manifests),
    go: goResolver(files, manifests),
    java: named,
    kotlin: named,
    csharp: named,
    php: named,
    swift: named,
    c: path,
    cpp: path,
    ruby: path,
  };
}
