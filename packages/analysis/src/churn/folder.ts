import path from "node:path";
import type { Repository } from "@toolwright/kit/git";

/** The folder whose files count, in a repository. */
export interface Folder {
  /** Its real path. */
  readonly root: string;
  /** In front of each name inside, as bytes in latin1: "" or "a/b/". */
  readonly prefix: string;
  readonly isInside: (name: string) => boolean;
}

/** Finds the folder, or the one file, that a caller means. */
export async function folderOf(repository: Repository, given: string): Promise<Folder> {
  const found = await repository.reach.look(given);
  const place = found?.place ?? repository.top;
  const words = path.relative(repository.top, place).split(path.sep).join("/");
  const name = Buffer.from(words).toString("latin1");
  if (repository.isBare || name === "") return { root: repository.top, prefix: "", isInside: () => true };
  if (found?.stats.isFile())
    return {
      root: path.dirname(place),
      prefix: name.slice(0, name.lastIndexOf("/") + 1),
      isInside: (each) => each === name,
    };
  return { root: place, prefix: `${name}/`, isInside: (each) => each.startsWith(`${name}/`) };
}
