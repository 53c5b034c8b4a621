import path from "node:path";
import type { Call } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import { buildGraph } from "../imports/build-graph.js";
import { readManifests } from "../imports/manifests.js";
import { readProject } from "../project/read-project.js";
import type { Context } from "./context.js";
import { makeContext } from "./make-context.js";

/** Which map is wanted. */
export interface ContextWish {
  readonly path: string;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly maxTokens: number;
}

/** Reads a project, and makes a map of it. */
export async function readContext(
  analysis: Analysis,
  call: Pick<Call, "signal" | "supports" | "roots" | "progress">,
  { path: given, include, exclude, maxTokens }: ContextWish,
): Promise<Context> {
  const { files, root } = await readProject(analysis, call, {
    path: given,
    include,
    exclude,
    wanted: ["imports", "outline", "measures"],
    // Of the measures only the lines are needed.
    trim: (facts) => ({ ...facts, measures: { ...facts.measures, functions: [] } }),
  });
  const reach = await analysis.reach(call);
  const found = await reach.look(given);
  const manifests = found?.stats.isDirectory() === true ? await readManifests(reach, given) : [];
  const graph = buildGraph(files, manifests);
  return makeContext({ project: path.basename(root), files, manifests, graph }, maxTokens);
}
