import { stat } from "node:fs/promises";
import path from "node:path";
import type { Reach } from "../../../files/reach.js";
import type { Collection } from "../collections/collection.js";
import { otherFolder } from "../collections/faults.js";
import type { Discovered } from "./source.js";

/**
 * The folder that the paths of an ingest are relative to; undefined where none of them is. Throws where the documents of the
 * collection are those of another one. One that is not here any more was moved, or is that of another machine.
 */
export async function folderOf(
  reach: Reach,
  { name, folder }: Collection,
  found: Discovered,
): Promise<string | undefined> {
  const [here] = reach.roots;
  if (here === undefined || !hasRelative(found)) return undefined;
  if (folder !== null && folder !== here && (await isHere(reach, folder))) throw otherFolder(name, folder, here);
  return here;
}

function hasRelative({ sources, refused, folders, missing }: Discovered): boolean {
  const files = sources.filter(({ place }) => place !== undefined);
  const named = [...files, ...refused].map(({ source }) => source);
  return [...folders, ...missing, ...named].some((source) => !path.isAbsolute(source));
}

/** Whether there is such a folder on this machine, reached or not. */
export const isHere = (reach: Reach, folder: string): Promise<boolean> =>
  reach.attempt(folder, async () => {
    try {
      return (await stat(folder)).isDirectory();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code !== "ENOENT" && code !== "ENOTDIR";
    }
  });
