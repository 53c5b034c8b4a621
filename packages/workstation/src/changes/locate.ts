import path from "node:path";
import { fileURLToPath } from "node:url";
import { ToolError } from "@toolwright/engine";
import { changedMeanwhile, type FileAccess } from "@toolwright/kit/files";
import { ABSENT, type Content, contentAt } from "./file-state.js";

/** A place that is about to be changed. */
export interface Located {
  /** The real path. */
  readonly place: string;
  /** The real paths of the folders on the way that are not there yet, the highest first. */
  readonly folders: readonly string[];
  readonly content: Content;
}

/** Finds what is in a place, and what is missing on the way to it; nothing is made. */
export async function locate(
  reach: FileAccess,
  given: string,
  { follow, most }: { readonly follow: boolean; readonly most: number },
): Promise<Located> {
  try {
    await using entry = await reach.openEntry(given, { follow });
    const content = await reach.withTimeout(given, () => contentAt(entry.path, most));
    return { place: entry.realPath, folders: [], content };
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "NOT_FOUND") throw error;
    return findFolders(reach, given, error);
  }
}

/** What is in a place that the journal knows by its real path; one that leads elsewhere by now is refused. */
export async function contentOf(reach: FileAccess, place: string, most = 0): Promise<Content> {
  const located = await locate(reach, place, { follow: false, most });
  if (located.place !== place) throw changedMeanwhile(reach.displayPath(place));
  return located.content;
}

async function findFolders(reach: FileAccess, given: string, error: ToolError): Promise<Located> {
  const words = given.startsWith("file://") ? fileURLToPath(given) : given;
  const names: string[] = [];
  for (let at = path.resolve(reach.roots[0] ?? "", words); at !== path.dirname(at); at = path.dirname(at)) {
    names.unshift(path.basename(at));
    const above = await reach.stat(path.dirname(at));
    if (above === undefined) continue;
    const places = names.map((_name, index) => path.join(above.realPath, ...names.slice(0, index + 1)));
    return { place: places.at(-1) ?? "", folders: places.slice(0, -1), content: { state: ABSENT } };
  }
  throw error;
}
