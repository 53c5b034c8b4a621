import path from "node:path";
import { compileGlob } from "@toolwright/kit/files";
import { type Repository, toName } from "@toolwright/kit/git";
import type { Analysis } from "../analysis.js";
import type { Folder } from "./folder.js";

/** How the names that git has, bytes as latin1, are shown to callers. */
export interface Names {
  /** Relative to the folder. */
  readonly pathOf: (name: string) => string;
  /** Whether the settings let callers see it. */
  readonly isShown: (name: string) => boolean;
}

/** Shows names as the settings say. */
export function namesOf(analysis: Analysis, repository: Repository, folder: Folder): Names {
  const excluded = analysis.settings.exclude.map(compileGlob);
  const nameOf = (name: string): string => toName(Buffer.from(name, "latin1"));
  const below = nameOf(folder.prefix);
  const pathOf = (name: string): string => path.posix.relative(below, nameOf(name));
  const isShown = (name: string): boolean =>
    repository.mayShow(nameOf(name)) && !excluded.some(({ fits }) => fits(pathOf(name)));
  return { pathOf, isShown };
}
