import { invalidGitArgument } from "./errors.js";
import type { Repository } from "./run-git.js";

/** The same repository, where it has working files. Throws for a bare one, which has none. */
export function workingFiles(repository: Repository): Repository {
  if (!repository.isBare) return repository;
  throw invalidGitArgument(
    "This repository is bare: it has no working files. git_log, git_show and git_list_branches work on it.",
    {
      repository: repository.reach.show(repository.top),
    },
  );
}
