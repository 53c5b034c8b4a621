import { lstat, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { type AccessBounds, checkAccess, insideRoots, isRoot, realRoots } from "./bounds.js";
import { danglingLink, forbiddenPath, rootNotFound } from "./errors.js";

/** A place that was looked up: real, inside the roots, and there or not. */
export interface ResolvedPath {
  /** The real path of what is there, or of the deepest folder that is. */
  readonly place: string;
  /** The names below it that are not there. */
  readonly missing: readonly string[];
}

/** How many links may lead to one another; as many as Linux follows. */
const MOST_LINKS = 40;

/**
 * Looks up an absolute path inside the roots, with all links resolved. Throws where any of it leads out of them, in the same words
 * whether or not something is there: what the system says of a place outside is never passed on.
 */
export async function resolvePath(
  bounds: AccessBounds,
  given: string,
  wanted: string,
  links = MOST_LINKS,
): Promise<ResolvedPath> {
  let place: string;
  try {
    place = await realpath(wanted);
  } catch (error) {
    return findBelow(bounds, given, wanted, { error: error as NodeJS.ErrnoException, links });
  }
  checkAccess(bounds, given, place);
  return { place, missing: [] };
}

/** Why a path could not be looked up, and how many links may still be followed. */
interface Failed {
  readonly error: NodeJS.ErrnoException;
  readonly links: number;
}

/** Looks up the folder of a path that could not be looked up; only inside the roots it is asked what is wrong with the path. */
async function findBelow(
  bounds: AccessBounds,
  given: string,
  wanted: string,
  { error, links }: Failed,
): Promise<ResolvedPath> {
  if (isRoot(bounds, wanted)) throw error.code === "ENOENT" ? rootNotFound(given, wanted) : error;
  const above = await resolvePath(bounds, given, path.dirname(wanted), links);
  const missing = [...above.missing, path.basename(wanted)];
  const place = path.join(above.place, ...missing);
  checkAccess(bounds, given, place);
  if (missing.length > 1) return { place: above.place, missing };
  const stats = await lstat(place).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code !== "ENOENT") throw fault;
  });
  if (stats === undefined) return { place: above.place, missing };
  if (!stats.isSymbolicLink()) return { place, missing: [] };
  if (links === 0) throw error;
  return followBroken(bounds, given, path.resolve(above.place, await readlink(place)), links - 1);
}

/** Goes where a link leads that leads to nothing, or to what cannot be looked up. */
async function followBroken(bounds: AccessBounds, given: string, target: string, links: number): Promise<ResolvedPath> {
  const inside = insideRoots(bounds, target);
  if (inside === undefined) throw forbiddenPath(given, realRoots(bounds), "follows a link that ");
  const found = await resolvePath(bounds, given, inside, links);
  if (found.missing.length > 0) throw danglingLink(given);
  return found;
}
