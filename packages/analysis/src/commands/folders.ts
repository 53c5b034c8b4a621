import { readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { Failure } from "@toolwright/kit/cli";

/** What is to be analysed, and the folders that may be read for it. */
export interface Folders {
  /** Relative to the first root. */
  readonly path: string;
  readonly name: string;
  /** The folder, and those in which git keeps its history. */
  readonly roots: readonly string[];
}

/** Finds what a person means by a path, and the repository around it. */
export function findFolders(given: string, current: string): Folders {
  const place = realOf(path.resolve(current, given));
  const stats = place === undefined ? undefined : statSync(place, { throwIfNoEntry: false });
  if (place === undefined || stats === undefined)
    throw new Failure(
      `Cannot analyse ${JSON.stringify(given)}: it does not exist. Give a folder or a file that does`,
      2,
    );
  const folder = stats.isDirectory() ? place : path.dirname(place);
  return {
    path: stats.isDirectory() ? "." : path.basename(place),
    name: path.basename(place) || place,
    roots: [...new Set([folder, ...repositoryOf(folder)])],
  };
}

/** The folder of a repository, and where that is elsewhere, of what git keeps of it: a worktree shares it with others. */
function repositoryOf(folder: string): string[] {
  const entry = path.join(folder, ".git");
  const stats = statSync(entry, { throwIfNoEntry: false });
  const parent = path.dirname(folder);
  if (stats === undefined) return parent === folder ? [] : repositoryOf(parent);
  if (stats.isDirectory()) return [folder];
  const [, named] = /^gitdir: (.+)$/m.exec(textOf(entry)) ?? [];
  const gitDir = named === undefined ? undefined : realOf(path.resolve(folder, named));
  if (gitDir === undefined) return [folder];
  const common = realOf(path.resolve(gitDir, textOf(path.join(gitDir, "commondir")).trim()));
  return [folder, gitDir, ...(common === undefined ? [] : [common])];
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function realOf(place: string): string | undefined {
  try {
    return realpathSync(place);
  } catch {
    return undefined;
  }
}
