import { lstat, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Root } from "./access-policy.js";
import { danglingLink, deniedPath, forbiddenPath, rootNotFound, wrongPath } from "./errors.js";
import { findPathError, isWithin } from "./paths.js";

/** Which places may be used. */
export interface AccessBounds {
  /** The folders inside which they lie; the first is what relative paths are relative to. */
  readonly roots: readonly Root[];
  /** Why a real path must not even be looked at, such as "the settings hide it"; undefined = it may. */
  denial?(place: string): string | undefined;
  /** Why a real path must not be changed; undefined = it may. */
  protection?(place: string): string | undefined;
  /** Whether a real path has settings of the server, or lies around those that were read. */
  holdsSettings?(place: string): boolean;
}

/** The absolute path that is meant, before anything is looked up. It must lie inside a root by its words alone. */
export function resolveInput(bounds: AccessBounds, given: string): string {
  const words = given.startsWith("file://") ? fromUri(given) : given;
  const fault = findPathError(words);
  if (fault !== undefined) throw wrongPath(given, fault);
  const meant = insideRoots(bounds, path.resolve(bounds.roots[0]?.real ?? path.sep, words));
  if (meant === undefined) throw forbiddenPath(given, realRoots(bounds));
  return meant;
}

/** An absolute path below the real path of its root; undefined where it lies in none. */
export function insideRoots({ roots }: AccessBounds, place: string): string | undefined {
  for (const { real, given } of roots) {
    if (isWithin(real, place)) return place;
    if (isWithin(given, place)) return path.join(real, path.relative(given, place));
  }
  return undefined;
}

/** Whether a real path lies inside a root, and nothing hides it. */
export const isVisible = (bounds: AccessBounds, place: string): boolean =>
  bounds.roots.some(({ real }) => isWithin(real, place)) && bounds.denial?.(place) === undefined;

/** Throws unless a real path lies inside a root and may be looked at. */
export function checkAccess(bounds: AccessBounds, given: string, place: string): void {
  // What is open but has no path any more is told by the system in other ways.
  if (!path.isAbsolute(place) || !bounds.roots.some(({ real }) => isWithin(real, place)))
    throw forbiddenPath(given, realRoots(bounds), "follows a link that ");
  const reason = bounds.denial?.(place);
  if (reason !== undefined) throw deniedPath(given, reason);
}

/** Throws unless a real path may be changed. */
export function checkChange(bounds: AccessBounds, given: string, place: string): void {
  checkAccess(bounds, given, place);
  if (isRoot(bounds, place)) throw deniedPath(given, "it is one of the allowed folders itself");
  const reason = bounds.protection?.(place);
  if (reason !== undefined) throw deniedPath(given, reason);
}

/** Whether a real path is one of the roots. */
export const isRoot = ({ roots }: AccessBounds, place: string): boolean =>
  roots.some(({ real }) => isWithin(real, place) && isWithin(place, real));

/** The part of the file system in which a path lies: one name below its root. */
export function partOf(bounds: AccessBounds, given: string): string {
  const words = given.startsWith("file://") ? given.slice("file://".length) : given;
  const place = path.resolve(bounds.roots[0]?.real ?? path.sep, words);
  const root = bounds.roots.find(({ real }) => isWithin(real, place))?.real ?? path.parse(place).root;
  const [name = ""] = path.relative(root, place).split(path.sep);
  return path.join(root, name);
}

/** A real path as callers may give it back: relative to the first root where it lies there, with forward slashes. */
export function displayPath({ roots: [first] }: AccessBounds, place: string): string {
  const isInFirst = first !== undefined && isWithin(first.real, place);
  const shown = isInFirst ? path.relative(first.real, place) || "." : place;
  // A name such as "~" or " " would be taken for something else.
  const plain = findPathError(shown) === undefined ? shown : `./${shown}`;
  return path.sep === "\\" ? plain.replaceAll("\\", "/") : plain;
}

/** The real paths of the roots. */
export const realRoots = ({ roots }: AccessBounds): readonly string[] => roots.map(({ real }) => real);

/** The path that a `file://` URI stands for. */
export function fromUri(given: string): string {
  try {
    return fileURLToPath(given);
  } catch {
    throw wrongPath(given, "it is no file:// URI of this machine");
  }
}

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
