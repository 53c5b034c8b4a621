import type { Call } from "@toolwright/engine";
import { findCommit, openRepository, type Repository } from "@toolwright/kit/git";
import type { Analysis } from "../analysis.js";
import { explained } from "./faults.js";
import { type Folder, folderOf } from "./folder.js";
import { type Names, namesOf } from "./names.js";

/** What a caller lends to the reading of a history. */
export type ChurnCall = Pick<Call, "signal" | "supports" | "roots" | "progress">;

/** A history that can be read. */
export interface OpenHistory {
  readonly repository: Repository;
  readonly folder: Folder;
  readonly names: Names;
  /** The newest commit; undefined = there is none yet. */
  readonly head: string | undefined;
}

/** Finds the history of a folder. */
export async function openHistory(analysis: Analysis, call: ChurnCall, path: string): Promise<OpenHistory> {
  const reach = await analysis.reach(call);
  const repository = await openRepository(reach, path, call).catch((error: unknown) => {
    throw explained(error, path);
  });
  const folder = await folderOf(repository, path);
  const names = namesOf(analysis, repository, folder);
  return { repository, folder, names, head: await findCommit(repository, "HEAD") };
}
