import type { FileAccess } from "@toolwright/kit/files";
import { buildGraph } from "../imports/build-graph.js";
import type { LinkedFile } from "../imports/graph.js";
import { readManifests } from "../imports/manifests.js";

const NOBODY: ReadonlySet<string> = new Set();

/** Finds out which files import a file, by its path; `given` is the folder or file that they are of. */
export async function readImporters(
  reach: FileAccess,
  given: string,
  files: readonly LinkedFile[],
): Promise<(path: string) => ReadonlySet<string>> {
  if (files.length === 0) return () => NOBODY;
  const found = await reach.look(given);
  const manifests = found?.stats.isDirectory() === true ? await readManifests(reach, given) : [];
  const importers = new Map<string, Set<string>>();
  for (const { from, to } of buildGraph(files, manifests).links) {
    const known = importers.get(to);
    if (known === undefined) importers.set(to, new Set([from]));
    else known.add(from);
  }
  return (path) => importers.get(path) ?? NOBODY;
}
