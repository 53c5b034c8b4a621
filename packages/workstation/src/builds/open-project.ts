import { readdir } from "node:fs/promises";
import path from "node:path";
import type { FileAccess, OpenFolder } from "@toolwright/kit/files";
import { findProgram, isProgram } from "@toolwright/kit/processes";
import type { Project } from "./ecosystem.js";

/** Larger files that say how a project is built are not read. */
const MOST_BYTES = 1024 * 1024;

/** A project whose folder is held open, to run programs in. */
export interface OpenProject extends Project, AsyncDisposable {
  /** The folder for the system, wherever it may be by now. */
  readonly cwd: string;
}

/** Opens the folder of a project, by its path or that of a file in it. */
export async function openProject(
  reach: FileAccess,
  given: string,
  how: Pick<Project, "test" | "isOnline">,
): Promise<OpenProject> {
  const found = await reach.stat(given);
  const isFile = found?.stats.isFile() ?? false;
  const folder = await reach.openFolder(isFile && found !== undefined ? path.dirname(found.realPath) : given);
  try {
    const names = new Set(await reach.withTimeout(given, () => readdir(folder.path)));
    return {
      ...how,
      ...looks(reach, folder),
      names,
      file: isFile ? path.basename(found?.realPath ?? given) : undefined,
    };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

function looks(reach: FileAccess, folder: OpenFolder): Omit<OpenProject, "names" | "file" | "test" | "isOnline"> {
  return {
    folder: folder.realPath,
    cwd: folder.path,
    read: (name) => readSmall(reach, path.join(folder.realPath, name)),
    hasOwn: (program) => isProgram(path.join(folder.realPath, program)),
    has: async (program) => (await findProgram(program)) !== undefined,
    [Symbol.asyncDispose]: () => folder.close(),
  };
}

async function readSmall(reach: FileAccess, place: string): Promise<string | undefined> {
  const found = await reach.stat(place).catch(() => undefined);
  if (found === undefined || !found.stats.isFile() || found.stats.size > MOST_BYTES) return undefined;
  await using file = await reach.openFileAt(place, found.realPath);
  return await reach.withTimeout(place, () => file.handle.readFile("utf8"));
}
