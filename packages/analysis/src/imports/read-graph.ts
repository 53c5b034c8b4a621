import path from "node:path";
import { type Call, ToolError } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import type { Analysis } from "../analysis.js";
import { counted } from "../complexity/words.js";
import type { ProjectFile } from "../project/project.js";
import { readProject } from "../project/read-project.js";
import { buildGraph } from "./build-graph.js";
import { type Cycle, findCycles } from "./cycles.js";
import type { ImportGraph } from "./graph.js";
import { readManifests } from "./manifests.js";
import type { Drawing, Heat } from "./mermaid.js";

/** Which files are linked. */
export interface GraphWish {
  readonly path: string;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Also how complex each file is. */
  readonly complexity: boolean;
}

/** What the files of a project use of each other, and where that goes in circles. */
export interface ReadGraph {
  readonly graph: ImportGraph;
  readonly cycles: readonly Cycle[];
  readonly heat: Drawing["heat"];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

/** Reads the imports of a project. */
export async function readGraph(
  analysis: Analysis,
  call: Pick<Call, "signal" | "supports" | "roots" | "progress">,
  { path: given, include, exclude, complexity }: GraphWish,
): Promise<ReadGraph> {
  const wanted = complexity ? (["imports", "outline", "measures"] as const) : (["imports", "outline"] as const);
  const { files, skipped } = await readProject(analysis, call, { path: given, include, exclude, wanted });
  const reach = await analysis.reach(call);
  const found = await reach.look(given);
  const manifests = found?.stats.isDirectory() === true ? await readManifests(reach, given) : [];
  const graph = buildGraph(files, manifests);
  return { graph, cycles: findCycles(graph.files, graph.links), heat: complexity ? heatOf(files) : undefined, skipped };
}

function heatOf(files: readonly ProjectFile<"imports" | "outline" | "measures">[]): Map<string, Heat> {
  return new Map(
    files.map(({ path: file, facts }): [string, Heat] => {
      const worst = facts.measures.functions.reduce((most, { cyclomatic }) => Math.max(most, cyclomatic), 0);
      return [file, worst > 20 ? "high" : worst > 10 ? "medium" : "low"];
    }),
  );
}

/** The file that is meant, as the graph knows it. */
export function focusOf({ files }: ImportGraph, given: string): string {
  const clean = path.posix.normalize(given.replaceAll("\\", "/")).replace(/^\.\//, "");
  const found = files.includes(clean)
    ? [clean]
    : files.filter((file) => file.endsWith(`/${clean}`) || clean.endsWith(`/${file}`));
  if (found.length === 1) return found[0] as string;
  const meant = nearest(clean, files);
  const more =
    found.length > 1
      ? `${found.length} files end so, such as ${found.slice(0, 3).join(" and ")}: give the whole path, from the folder of the project on.`
      : `Give a path from the folder of the project on${meant === undefined ? "." : `; did you mean ${meant}?`}`;
  throw new ToolError(
    `Cannot show the imports around ${JSON.stringify(given)}: it is not a file of this graph (${counted(files.length, "file")}). ${more}`,
    {
      code: "NOT_FOUND",
      details: { focus: given },
    },
  );
}
