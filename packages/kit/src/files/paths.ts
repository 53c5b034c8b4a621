import { lstat, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Root } from "./access-policy.js";
import { danglingLink, deniedPath, forbiddenPath, rootNotFound, wrongPath } from "./errors.js";

/** What is wrong with the words of a path before anything is looked up, or undefined. Never repeats more of it than is needed. */
export function findPathError(inputPath: string, platform: NodeJS.Platform = process.platform): string | undefined {
  if (inputPath.trim() === "") return "a path must not be empty";
  if (inputPath.includes("\0")) return "a path must not contain a NUL character";
  if (inputPath.length > LONGEST) return `a path must not have more than ${LONGEST} characters`;
  if (inputPath === "~" || inputPath.startsWith("~/") || inputPath.startsWith("~\\"))
    return "~ is not expanded; give a path inside a root";
  return platform === "win32" ? windowsFault(inputPath) : undefined;
}

const LONGEST = 4096;

/** Devices that Windows finds in every folder, whatever comes after a dot. */
const DEVICES = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i;

function windowsFault(inputPath: string): string | undefined {
  if (/^[\\/]{2}[.?][\\/]/.test(inputPath)) return "paths of devices (\\\\.\\ and \\\\?\\) are not accepted";
  if (/^[A-Za-z]:(?![\\/])/.test(inputPath)) return "a path with a drive must be absolute, such as C:\\work";
  const parts = inputPath.replace(/^[A-Za-z]:/, "").split(/[\\/]/);
  if (parts.some((part) => part.includes(":"))) return "a path must not name a stream of a file (with a colon)";
  if (parts.some((part) => part !== "." && part !== ".." && /[. ]$/.test(part)))
    return "a name must not end with a dot or a space, which Windows drops";
  const device = parts.find((part) => DEVICES.test(part.replace(/[. ].*$/, "")));
  return device === undefined ? undefined : `${device} is a device`;
}

/** Whether a path is a folder or lies below it. Both are absolute and normal; `platform` says how names are compared. */
export function isWithin(folder: string, realPath: string, platform: NodeJS.Platform = process.platform): boolean {
  const words = platform === "win32" ? path.win32 : path.posix;
  // Nearly always it is so by the letter, and listings ask it of every entry.
  if (realPath.startsWith(folder) && (realPath.length === folder.length || realPath[folder.length] === words.sep))
    return true;
  // On Windows `relative` compares without regard to case, and gives an absolute path for another drive or share.
  const way = words.relative(folder, realPath);
  return way === "" || !(way === ".." || way.startsWith(`..${words.sep}`) || words.isAbsolute(way));
}

/** Whether a place has a URI that is safe: some names have signs that no URI may hold. */
export const hasUri = (realPath: string): boolean => !/\p{Cc}|\\/u.test(realPath) || path.sep === "\\";

/** The `file://` URI of a place, with all escaped that a URI does not have as it is. */
export function toFileUri(realPath: string): string {
  const names = realPath.split(path.sep).join("/").replace(/^\//, "").split("/");
  // A name of Windows may have half a character, which no URI can.
  const escaped = names.map((name) => encodeURIComponent(Buffer.from(name, "utf8").toString("utf8")));
  return `file:///${escaped.join("/").replace(/^([A-Za-z])%3A/, "$1:")}`;
}

/** Which places may be used. */
export interface AccessBounds {
  /** The folders inside which they lie; the first is what relative paths are relative to. */
  readonly roots: readonly Root[];
  /** Why a real path must not even be looked at, such as "the settings hide it"; undefined = it may. */
  denial?(realPath: string): string | undefined;
  /** Why a real path must not be changed; undefined = it may. */
  protection?(realPath: string): string | undefined;
  /** Whether tools can change a real path, whoever calls. */
  isChangeable?(realPath: string): boolean;
  /** Whether a real path has settings of the server, or lies around those that were read. */
  holdsSettings?(realPath: string): boolean;
}

/** The absolute path that is meant, before anything is looked up. It must lie inside a root by its words alone. */
export function resolveInput(bounds: AccessBounds, inputPath: string): string {
  const words = inputPath.startsWith("file://") ? fromUri(inputPath) : inputPath;
  const fault = findPathError(words);
  if (fault !== undefined) throw wrongPath(inputPath, fault);
  const meant = insideRoots(bounds, path.resolve(bounds.roots[0]?.realPath ?? path.sep, words));
  if (meant === undefined) throw forbiddenPath(inputPath, realRoots(bounds));
  return meant;
}

/** An absolute path below the real path of its root; undefined where it lies in none. */
export function insideRoots({ roots }: AccessBounds, realPath: string): string | undefined {
  for (const { realPath: real, configuredPath } of roots) {
    if (isWithin(real, realPath)) return realPath;
    if (isWithin(configuredPath, realPath)) return path.join(real, path.relative(configuredPath, realPath));
  }
  return undefined;
}

/** Whether a real path lies inside a root, and nothing hides it. */
export const isVisible = (bounds: AccessBounds, realPath: string): boolean =>
  bounds.roots.some(({ realPath: real }) => isWithin(real, realPath)) && bounds.denial?.(realPath) === undefined;

/** Throws unless a real path lies inside a root and may be looked at. */
export function checkAccess(bounds: AccessBounds, inputPath: string, realPath: string): void {
  // The name of what is open and has no path, such as a pipe, is not absolute.
  if (!path.isAbsolute(realPath) || !bounds.roots.some(({ realPath: real }) => isWithin(real, realPath)))
    throw forbiddenPath(inputPath, realRoots(bounds), "follows a link that ");
  const reason = bounds.denial?.(realPath);
  if (reason !== undefined) throw deniedPath(inputPath, reason);
}

/** Throws unless a real path may be changed. */
export function checkChange(bounds: AccessBounds, inputPath: string, realPath: string): void {
  checkAccess(bounds, inputPath, realPath);
  if (isRoot(bounds, realPath)) throw deniedPath(inputPath, "it is one of the allowed folders itself");
  const reason = bounds.protection?.(realPath);
  if (reason !== undefined) throw deniedPath(inputPath, reason);
}

/** Whether a real path is one of the roots. */
export const isRoot = ({ roots }: AccessBounds, realPath: string): boolean =>
  roots.some(({ realPath: real }) => isWithin(real, realPath) && isWithin(realPath, real));

/** The part of the file system in which a path lies: one name below its root. */
export function partOf(bounds: AccessBounds, inputPath: string): string {
  const words = inputPath.startsWith("file://") ? inputPath.slice("file://".length) : inputPath;
  const realPath = path.resolve(bounds.roots[0]?.realPath ?? path.sep, words);
  const root =
    bounds.roots.find(({ realPath: real }) => isWithin(real, realPath))?.realPath ?? path.parse(realPath).root;
  const [name = ""] = path.relative(root, realPath).split(path.sep);
  return path.join(root, name);
}

/** A real path as callers may give it back: relative to the first root where it lies there, with forward slashes. */
export function displayPath({ roots: [first] }: AccessBounds, realPath: string): string {
  const isInFirst = first !== undefined && isWithin(first.realPath, realPath);
  const shown = isInFirst ? path.relative(first.realPath, realPath) || "." : realPath;
  // A name such as "~" or " " would be taken for something else.
  const plain = findPathError(shown) === undefined ? shown : `./${shown}`;
  return path.sep === "\\" ? plain.replaceAll("\\", "/") : plain;
}

/** The real paths of the roots. */
export const realRoots = ({ roots }: AccessBounds): readonly string[] => roots.map(({ realPath: real }) => real);

/** The path that a `file://` URI stands for. */
export function fromUri(inputPath: string): string {
  try {
    return fileURLToPath(inputPath);
  } catch {
    throw wrongPath(inputPath, "it is no file:// URI of this machine");
  }
}

/** A place that was looked up: real, inside the roots, and there or not. */
export interface ResolvedPath {
  /** The real path of what is there, or of the deepest folder that is. */
  readonly realPath: string;
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
  inputPath: string,
  wanted: string,
  links = MOST_LINKS,
): Promise<ResolvedPath> {
  let realPath: string;
  try {
    realPath = await realpath(wanted);
  } catch (error) {
    return findBelow(bounds, inputPath, wanted, { error: error as NodeJS.ErrnoException, links });
  }
  checkAccess(bounds, inputPath, realPath);
  return { realPath, missing: [] };
}

/** Why a path could not be looked up, and how many links may still be followed. */
interface Failed {
  readonly error: NodeJS.ErrnoException;
  readonly links: number;
}

/** Looks up the folder of a path that could not be looked up; only inside the roots it is asked what is wrong with the path. */
async function findBelow(
  bounds: AccessBounds,
  inputPath: string,
  wanted: string,
  { error, links }: Failed,
): Promise<ResolvedPath> {
  if (isRoot(bounds, wanted)) throw error.code === "ENOENT" ? rootNotFound(inputPath, wanted) : error;
  const above = await resolvePath(bounds, inputPath, path.dirname(wanted), links);
  const missing = [...above.missing, path.basename(wanted)];
  const realPath = path.join(above.realPath, ...missing);
  checkAccess(bounds, inputPath, realPath);
  if (missing.length > 1) return { realPath: above.realPath, missing };
  const stats = await lstat(realPath).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code !== "ENOENT") throw fault;
  });
  if (stats === undefined) return { realPath: above.realPath, missing };
  if (!stats.isSymbolicLink()) return { realPath, missing: [] };
  if (links === 0) throw error;
  return followBroken(bounds, inputPath, path.resolve(above.realPath, await readlink(realPath)), links - 1);
}

/** Goes where a link leads that leads to nothing, or to what cannot be looked up. */
async function followBroken(
  bounds: AccessBounds,
  inputPath: string,
  target: string,
  links: number,
): Promise<ResolvedPath> {
  const inside = insideRoots(bounds, target);
  if (inside === undefined) throw forbiddenPath(inputPath, realRoots(bounds), "follows a link that ");
  const found = await resolvePath(bounds, inputPath, inside, links);
  if (found.missing.length > 0) throw danglingLink(inputPath);
  return found;
}
