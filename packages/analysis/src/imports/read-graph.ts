import { posix } from "node:path";
import { ToolError } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import type { Language } from "@toolwright/kit/syntax";
import { nearest } from "@toolwright/kit/text";
import type { Analysis } from "../analysis.js";
import { counted } from "../format.js";
import type { AnalysisCall, ProjectFile } from "../project/project.js";
import { readProject } from "../project/read-project.js";
import { type Cycle, findCycles } from "./cycles.js";
import type { ImportGraph, Link, LinkedFile, Resolver } from "./graph.js";
import { type Manifest, readManifests } from "./manifests.js";
import type { Drawing, Heat } from "./report.js";
import { ecmascriptResolver } from "./resolvers/ecmascript.js";
import { namedResolver } from "./resolvers/named.js";
import { goResolver, pathResolver } from "./resolvers/paths.js";
import { pythonResolver } from "./resolvers/python.js";
import { rustResolver } from "./resolvers/rust.js";

/** Which files are linked. */
export interface GraphOptions {
  readonly path: string;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Also measures how complex each file is. */
  readonly complexity: boolean;
}

/** The imports between the files of a project, and their cycles. */
export interface ReadGraph {
  readonly graph: ImportGraph;
  readonly cycles: readonly Cycle[];
  readonly heat: Drawing["heat"];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

/** Reads the imports of a project. */
export async function readGraph(
  analysis: Analysis,
  call: AnalysisCall,
  { path, include, exclude, complexity }: GraphOptions,
): Promise<ReadGraph> {
  const wanted = complexity ? (["imports", "outline", "measures"] as const) : (["imports", "outline"] as const);
  const { files, skipped } = await readProject(analysis, call, { path, include, exclude, wanted });
  const { graph } = await linkFiles(await analysis.fileAccess(call), path, files);
  return { graph, cycles: findCycles(graph.files, graph.links), heat: complexity ? heatOf(files) : undefined, skipped };
}

function heatOf(files: readonly ProjectFile<"imports" | "outline" | "measures">[]): Map<string, Heat> {
  return new Map(
    files.map(({ path, facts }): [string, Heat] => {
      const worst = facts.measures.functions.reduce((max, { cyclomatic }) => Math.max(max, cyclomatic), 0);
      return [path, worst > 20 ? "high" : worst > 10 ? "medium" : "low"];
    }),
  );
}

/** Resolves the imports of files that were read from a folder, or from one file, by the manifests in that folder. */
export async function linkFiles(
  access: FileAccess,
  inputPath: string,
  files: readonly LinkedFile[],
): Promise<{ readonly graph: ImportGraph; readonly manifests: readonly Manifest[] }> {
  const found = await access.stat(inputPath);
  const manifests = found?.stats.isDirectory() === true ? await readManifests(access, inputPath) : [];
  return { graph: buildGraph(files, manifests), manifests };
}

/** Resolves the imports of all files of a project. */
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
  const byName = namedResolver(files);
  const byPath = pathResolver(paths);
  return {
    typescript: ecmascript,
    tsx: ecmascript,
    javascript: ecmascript,
    python: pythonResolver(paths),
    rust: rustResolver(paths, manifests),
    go: goResolver(files, manifests),
    java: byName,
    kotlin: byName,
    csharp: byName,
    php: byName,
    swift: byName,
    c: byPath,
    cpp: byPath,
    ruby: byPath,
  };
}

/** The files that import each file, by its path. */
export function importersIn({ links }: ImportGraph): (path: string) => ReadonlySet<string> {
  const importers = new Map<string, Set<string>>();
  for (const { from, to } of links) importers.set(to, (importers.get(to) ?? new Set()).add(from));
  const none: ReadonlySet<string> = new Set();
  return (path) => importers.get(path) ?? none;
}

/** Finds the file of the graph that a path means. Throws where there is none, or more than one. */
export function findFocus({ files }: ImportGraph, inputPath: string): string {
  const clean = posix.normalize(inputPath.replaceAll("\\", "/")).replace(/^\.\//, "");
  const found = files.includes(clean)
    ? [clean]
    : files.filter((file) => file.endsWith(`/${clean}`) || clean.endsWith(`/${file}`));
  if (found.length === 1) return found[0] as string;
  const suggestion = nearest(clean, files);
  const more =
    found.length > 1
      ? `${found.length} files match, such as ${found.slice(0, 3).join(" and ")}. Give the whole path, relative to the project.`
      : `Give a path relative to the project${suggestion === undefined ? "." : `; did you mean ${suggestion}?`}`;
  throw new ToolError(
    `Cannot show the imports around ${JSON.stringify(inputPath)}: no analyzed file matches (${counted(files.length, "file")} analyzed). ${more}`,
    { code: "NOT_FOUND", details: { focus: inputPath } },
  );
}
