import { stat } from "node:fs/promises";
import path from "node:path";
import type { FileAccess } from "@toolwright/kit/files";
import type { Collection } from "../collections/collection.js";
import { otherDocuments, otherFolder } from "../collections/faults.js";
import { goneFrom, seenIn } from "./gone.js";
import type { Member } from "./members.js";
import type { Discovered } from "./source.js";

/**
 * The folder that the paths of an ingest are relative to; undefined where none of them is, or nobody knows of those of before.
 * Throws where the documents of the collection are those of another one. One that is not here any more was moved, or is that of
 * another machine.
 */
export async function folderOf(
  reach: FileAccess,
  { name, folder }: Collection,
  found: Discovered,
  parent: ReadonlyMap<string, Member>,
): Promise<string | undefined> {
  const [here] = reach.roots;
  if (here === undefined || !hasRelative(found)) return undefined;
  if (folder !== null && folder !== here && (await isHere(reach, folder))) throw otherFolder(name, folder, here);
  if (folder !== null || isAmong(parent, found)) return here;
  if (goneFrom(parent, found).some(isRelative)) throw otherDocuments(name, here);
  return undefined;
}

/** Whether one of the documents of before was come by, or there are none: else they may be those of any folder. */
function isAmong(parent: ReadonlyMap<string, Member>, found: Discovered): boolean {
  const before = [...parent.values()].filter((member) => member.origin === "file" && isRelative(member));
  const seen = seenIn(found);
  return before.length === 0 || before.some(({ source }) => seen.has(source));
}

const isRelative = ({ source }: Pick<Member, "source">): boolean => !path.isAbsolute(source);

function hasRelative({ sources, refused, folders, missing }: Discovered): boolean {
  const files = sources.filter(({ place }) => place !== undefined);
  const named = [...files, ...refused].map(({ source }) => source);
  return [...folders, ...missing, ...named].some((source) => !path.isAbsolute(source));
}

/** Whether there is such a folder on this machine, reached or not. */
export const isHere = (reach: FileAccess, folder: string): Promise<boolean> =>
  reach.attempt(folder, async () => {
    try {
      return (await stat(folder)).isDirectory();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code !== "ENOENT" && code !== "ENOTDIR";
    }
  });
