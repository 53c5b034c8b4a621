import path from "node:path";
import { isWithin } from "./paths.js";
import { realPath, statFile } from "./stat-file.js";
import { withTimeout } from "./with-timeout.js";

/** A folder inside which paths may be used. */
export interface Root {
  /** The absolute path as it was given; links in it are not resolved. */
  readonly given: string;
  readonly real: string;
}

/** Looks up the folders of a pack's settings within a deadline. Throws an error that names the setting and the folder at fault. */
export async function findSettingRoots(
  folders: readonly string[],
  from: string,
  deadlineMs: number,
): Promise<readonly Root[]> {
  const find = () => findRoots(folders, from);
  return withTimeout({ deadlineMs, part: "settings" }, "look up the folders", find).catch((error: Error) => {
    throw new Error(`files.roots: ${error.message}`, { cause: error });
  });
}

/** Looks up folders. Throws an error that names the one that is no folder. */
export async function findRoots(folders: readonly string[], from: string): Promise<readonly Root[]> {
  return Promise.all(folders.map((folder) => findRoot(path.resolve(from, folder))));
}

async function findRoot(given: string): Promise<Root> {
  let real: string;
  try {
    real = await realPath(given);
  } catch (error) {
    throw new Error(`the folder ${given} cannot be used: ${(error as Error).message}`, { cause: error });
  }
  if (!(await statFile(real)).isDirectory()) throw new Error(`${given} is not a folder`);
  return { given, real };
}

/** What both allow: of each pair the folder that lies inside the other. Never more than the first list has. */
export function narrow(roots: readonly Root[], wanted: readonly Root[]): readonly Root[] {
  const both = roots.flatMap((root) =>
    wanted.flatMap((other) => {
      if (isWithin(root.real, other.real)) return [other];
      return isWithin(other.real, root.real) ? [root] : [];
    }),
  );
  return both.filter((root, at) => both.findIndex(({ real }) => real === root.real) === at);
}
