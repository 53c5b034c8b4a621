import path from "node:path";
import type { ImportGraph } from "./graph.js";

/** Selects a part of a graph. */
export interface ViewOptions {
  readonly level: "auto" | "file" | "folder";
  /** Only this file, what it imports and what imports it, up to `depth` steps. */
  readonly focus?: string | undefined;
  readonly depth: number;
  /** Includes external packages. */
  readonly external: boolean;
  readonly maxNodes: number;
}

/** A file, a folder or a package. */
export interface ViewNode {
  readonly name: string;
  readonly kind: "file" | "folder" | "external";
  readonly files: number;
  uses: number;
  used_by: number;
}

/** Imports between two nodes. */
interface ViewEdge {
  readonly from: string;
  readonly to: string;
  /** The number of imports. */
  readonly count: number;
  readonly isWeak: boolean;
}

/** The visible part of a graph. */
export interface View {
  readonly level: "file" | "folder";
  readonly nodes: readonly ViewNode[];
  readonly edges: readonly ViewEdge[];
  /** The number of nodes and edges that are left out. */
  readonly left_out: { readonly nodes: number; readonly edges: number };
}

/** More files are shown as folders. */
const MAX_FILES = 40;

/** More edges are unreadable. */
const MAX_EDGES = 240;

/** Selects the files around one, all files or their folders, most connected first. */
export function viewOf(graph: ImportGraph, options: ViewOptions): View {
  const shown = options.focus === undefined ? new Set(graph.files) : around(graph, options.focus, options.depth);
  const isFolder = options.level === "folder" || (options.level === "auto" && shown.size > MAX_FILES);
  const nameOf = isFolder ? folderNames([...shown], options.maxNodes) : (file: string) => file;
  const nodes = new Map<string, ViewNode>();
  const edges = new Map<string, ViewEdge>();
  for (const file of shown) addNode(nameOf(file), isFolder ? "folder" : "file");
  for (const { from, to, isWeak } of graph.links)
    if (shown.has(from) && shown.has(to)) addEdge(nameOf(from), nameOf(to), isWeak);
  if (options.external)
    for (const [name, users] of graph.external)
      for (const user of users) {
        if (!shown.has(user)) continue;
        if (!nodes.has(packageOf(name))) addNode(packageOf(name), "external");
        addEdge(nameOf(user), packageOf(name), false);
      }
  return cut([...nodes.values()], [...edges.values()], { ...options, level: isFolder ? "folder" : "file" });

  function addNode(name: string, kind: ViewNode["kind"]): void {
    const known = nodes.get(name);
    nodes.set(name, { name, kind, files: (known?.files ?? 0) + 1, uses: 0, used_by: 0 });
  }

  function addEdge(from: string, to: string, isWeak: boolean): void {
    if (from === to) return;
    const known = edges.get(`${from}\0${to}`);
    const count = (known?.count ?? 0) + 1;
    edges.set(`${from}\0${to}`, { from, to, count, isWeak: isWeak && known?.isWeak !== false });
  }
}

/** Distinguishes a package from a file of the same name. */
const packageOf = (name: string): string => `package ${name}`;

function cut(
  all: readonly ViewNode[],
  links: readonly ViewEdge[],
  options: { level: View["level"]; focus?: string | undefined; maxNodes: number },
): View {
  const byName = new Map(all.map((node) => [node.name, node]));
  for (const { from, to } of links) {
    const [user, used] = [byName.get(from), byName.get(to)];
    if (user !== undefined) user.uses += 1;
    if (used !== undefined) used.used_by += 1;
  }
  const weight = (node: ViewNode) =>
    node.name === options.focus ? Number.POSITIVE_INFINITY : node.uses + node.used_by;
  const nodes = all.toSorted((a, b) => weight(b) - weight(a)).slice(0, options.maxNodes);
  const kept = new Set(nodes.map(({ name }) => name));
  const between = links.filter(({ from, to }) => kept.has(from) && kept.has(to));
  const edges = between.toSorted((a, b) => b.count - a.count).slice(0, MAX_EDGES);
  return {
    level: options.level,
    nodes: nodes.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    edges: edges.toSorted((a, b) => (`${a.from}\0${a.to}` < `${b.from}\0${b.to}` ? -1 : 1)),
    left_out: { nodes: all.length - nodes.length, edges: links.length - edges.length },
  };
}

/** The files within `depth` steps, in both directions. */
function around({ links }: ImportGraph, focus: string, depth: number): Set<string> {
  const [forth, back] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const { from, to } of links) {
    forth.set(from, [...(forth.get(from) ?? []), to]);
    back.set(to, [...(back.get(to) ?? []), from]);
  }
  const found = new Set([focus]);
  // Each direction on its own: other importers of what the file imports are not related to it.
  for (const next of [forth, back]) {
    let edge = [focus];
    const seen = new Set(edge);
    for (let step = 0; step < depth && edge.length > 0; step++) {
      edge = [...new Set(edge.flatMap((file) => next.get(file) ?? []))].filter((file) => !seen.has(file));
      for (const file of edge) {
        seen.add(file);
        found.add(file);
      }
    }
  }
  return found;
}

/** Assigns files to folders. Folders with the most files are split, as long as the limit allows. */
function folderNames(files: readonly string[], limit: number): (file: string) => string {
  const counts = new Map<string, number>();
  const inside = new Map<string, Set<string>>();
  for (const file of files)
    for (let folder = path.posix.dirname(file), child = ""; ; child = folder, folder = path.posix.dirname(folder)) {
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
      if (child !== "") inside.set(folder, (inside.get(folder) ?? new Set()).add(child));
      if (folder === ".") break;
    }
  const shown = new Set(["."]);
  const open = ["."];
  while (open.length > 0) {
    open.sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
    const children = inside.get(open.pop() ?? "") ?? new Set<string>();
    if (shown.size + children.size > limit) continue;
    for (const child of children) {
      shown.add(child);
      open.push(child);
    }
  }
  return (file) => {
    let folder = path.posix.dirname(file);
    while (!shown.has(folder)) folder = path.posix.dirname(folder);
    return folder;
  };
}
