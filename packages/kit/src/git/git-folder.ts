import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import path from "node:path";
import type { ToolError } from "@toolwright/engine";
import { deniedPath } from "../files/errors.js";
import type { FileAccess } from "../files/file-access.js";
import { isWithin } from "../files/paths.js";

/** How far borrowed objects may be borrowed in turn; git itself goes no further. */
const MOST_LOANS = 5;
const MOST_LIST_BYTES = 64 * 1024;

/**
 * Throws unless all that git would read and write for a repository lies inside the roots: its folders, what links in them lead to,
 * and the stores from which it borrows objects.
 */
export async function checkGitFolders(reach: FileAccess, folders: readonly string[]): Promise<void> {
  for (const folder of new Set(folders)) {
    await checkInside(reach, folder);
    for (const part of WITH_LINKS) await checkLinks(reach, path.join(folder, part));
    await checkLoans(reach, path.join(folder, "objects"), 0);
  }
}

/** Where git follows a link: names in these folders, not below them. */
const WITH_LINKS = ["", "objects", "info", "logs", "refs"] as const;

/** Throws where a link on the way to a file that git is about to write leads out of the roots. */
export async function checkWay(reach: FileAccess, folder: string, way: readonly string[]): Promise<void> {
  for (let at = 1; at <= way.length; at += 1) await checkInside(reach, path.join(folder, ...way.slice(0, at)));
}

/** Throws where a path leads out of the roots. Hidden places are no matter: it is git that looks at them, not the caller. */
export async function checkInside(reach: FileAccess, place: string): Promise<void> {
  const real = await reach.attempt(place, () => whereTo(place));
  if (real === undefined || reach.roots.some((root) => isWithin(root, real))) return;
  throw outside(place);
}

/** The real path of what is there, undefined where nothing is. What a link to nothing leads to would be made by git. */
async function whereTo(place: string): Promise<string | undefined> {
  try {
    return await realpath(place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    const stats = await lstat(place).catch(() => undefined);
    if (stats?.isSymbolicLink()) throw outside(place);
    return undefined;
  }
}

const outside = (place: string): ToolError =>
  deniedPath(
    place,
    "git keeps a part of this repository there, or a link leads from there, outside the allowed folders. Add that folder to the roots in the settings of this pack, or use another repository",
  );

async function checkLinks(reach: FileAccess, folder: string): Promise<void> {
  const entries = await reach.attempt(folder, () =>
    readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
      throw error;
    }),
  );
  for (const entry of entries) if (entry.isSymbolicLink()) await checkInside(reach, path.join(folder, entry.name));
}

async function checkLoans(reach: FileAccess, objects: string, depth: number): Promise<void> {
  if (depth > MOST_LOANS) return;
  const list = path.join(objects, "info", "alternates");
  const text = await reach.attempt(list, async () => {
    const stats = await lstat(list).catch(() => undefined);
    if (stats === undefined) return "";
    if (!stats.isFile() || stats.size > MOST_LIST_BYTES) throw outside(list);
    return readFile(list, "utf8");
  });
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    // Git reads what is in quotes in a way of its own.
    if (line.startsWith('"')) throw outside(list);
    const place = path.resolve(objects, line);
    await checkInside(reach, place);
    await checkLoans(reach, place, depth + 1);
  }
}
