import type { ChurnWish } from "./churn.js";
import type { Folder } from "./folder.js";
import { COMMIT_FORMAT } from "./history.js";

/** Which commits git is asked for. */
export interface LogWish {
  readonly wish: Pick<ChurnWish, "follow_renames" | "all_commits">;
  readonly folder: Folder;
  /** Seconds. */
  readonly since: number;
  readonly head: string;
}

/**
 * How git leaves out what is older. The first looks behind a commit that a wrong clock dated too early, at the cost of walking through the
 * whole history without comparing files: some tenths of a second for 50,000 commits. Git before 2.37 knows only the second.
 */
export const SINCE_WORDS = ["--since-as-filter", "--since"] as const;

/** What git is asked for the history of a folder. */
export function logArgs({ wish, folder, since, head }: LogWish, word: (typeof SINCE_WORDS)[number]): readonly string[] {
  const isFollowing = wish.follow_renames !== false;
  const below = Buffer.from(folder.prefix, "latin1").toString("utf8");
  return [
    "-c",
    "log.showRoot=true",
    "-c",
    "log.follow=false",
    "log",
    "-z",
    `--format=${COMMIT_FORMAT}`,
    "--raw",
    "--no-abbrev",
    "--numstat",
    "--no-show-signature",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--diff-algorithm=default",
    "--ignore-submodules=all",
    wish.all_commits === true ? "--diff-merges=first-parent" : "--diff-merges=off",
    ...(isFollowing ? ["--find-renames", "-l1000"] : ["--no-renames", "--full-history"]),
    // Git cannot read a date before 1970, and has no commit from then.
    ...(since > 0 ? [`${word}=${new Date(since * 1000).toISOString().slice(0, 19)}Z`] : []),
    head,
    "--",
    // Where a file came from is seen only in the whole of a commit.
    ...(isFollowing || below === "" ? [] : [below]),
  ];
}
