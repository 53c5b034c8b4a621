import type { Repository } from "./run-git.js";
import type { Status, StatusEntry } from "./status.js";

type Shown = Omit<StatusEntry, "group">;

/** A status as callers get it: what is not there is left out, and the files stand in their groups. */
export function toStatusResult(repository: Repository, status: Status) {
  const { branch, commit, upstream, ahead, behind, state, counts, next } = status;
  const inGroup = (group: StatusEntry["group"]): Shown[] =>
    status.entries
      .filter((each) => each.group === group)
      .map((each) => {
        const { group: _, ...shown } = each;
        return shown;
      });
  return {
    repository: repository.reach.show(repository.top),
    ...(branch !== undefined && { branch }),
    detached: branch === undefined,
    ...(commit !== undefined && { commit }),
    ...(upstream !== undefined && { upstream }),
    ...(ahead !== undefined && { ahead }),
    ...(behind !== undefined && { behind }),
    ...(state !== undefined && { state }),
    clean: Object.values(counts).every((count) => count === 0),
    counts: { ...counts },
    staged: inGroup("staged"),
    unstaged: inGroup("unstaged"),
    untracked: inGroup("untracked").map(({ path }) => path),
    conflicts: inGroup("conflicts"),
    // Files that go through them may look changed, though they are not.
    ...(repository.config.filters.size > 0 && { filters_off: [...repository.config.filters] }),
    ...(next !== undefined && { next: { offset: next } }),
  };
}
