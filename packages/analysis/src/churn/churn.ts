/** Which part of the history is wanted. */
export interface ChurnWish {
  /** A folder or file inside a repository, as the caller gave it. */
  readonly path: string;
  readonly period_days: number;
  readonly follow_renames?: boolean | undefined;
  /** Names or addresses whose commits do not count. */
  readonly exclude_authors?: readonly string[] | undefined;
  /** Lets merges, bots and commits that only format count too. */
  readonly all_commits?: boolean | undefined;
}

/** What the history says of one file that is still there, under its name of today. */
export interface FileChurn {
  /** Relative to the folder that was asked for, with forward slashes. */
  readonly path: string;
  readonly commits: number;
  /** Names by the mailmap, most commits first. */
  readonly authors: readonly { readonly name: string; readonly commits: number; readonly lines: number }[];
  readonly additions: number;
  readonly deletions: number;
  /** Dates as YYYY-MM-DD: first and last change inside the period. */
  readonly first_seen: string;
  readonly last_modified: string;
  /** min(1, 0.6 · commits / most commits + 0.4 · changed lines / most changed lines). */
  readonly score: number;
  /** Days since the last change. */
  readonly age_days: number;
  /** How few authors hold more than half of the changed lines. */
  readonly bus_factor: number;
  /** Earlier names inside the period, newest first. */
  readonly earlier?: readonly string[];
}

/** How many files were last changed so long ago. */
export interface AgeGroup {
  /** At most so many days; without it, longer ago than the period reaches back. */
  readonly days?: number;
  readonly files: number;
}

/** What the history of a period says. */
export interface Churn {
  /** Real path of the folder that was asked for; paths are relative to it. */
  readonly root: string;
  /** Highest score first. */
  readonly files: readonly FileChurn[];
  /** Commits that count, each once. */
  readonly commits: number;
  /** Files that were changed and are gone by now. */
  readonly deleted_files: number;
  /** Where the period begins, as YYYY-MM-DD. */
  readonly since: string;
  /** Commits that were left out, by reason; merges are those of the whole repository. */
  readonly left_out: {
    readonly merges: number;
    readonly bots: number;
    readonly bulk: number;
    readonly excluded: number;
  };
  readonly authors: readonly {
    readonly name: string;
    readonly commits: number;
    readonly files: number;
    readonly lines: number;
  }[];
  /** How few authors hold more than half of the changed lines of all files. */
  readonly bus_factor: number;
  /** All files of today by the days since their last change. */
  readonly ages: readonly AgeGroup[];
  /** The history is cut off: numbers before the cut are missing. */
  readonly is_shallow: boolean;
  /** There is no commit at all yet. */
  readonly is_empty?: boolean;
  /** Commits per week, oldest first, for charts. */
  readonly weeks: readonly { readonly from: string; readonly commits: number; readonly lines: number }[];
  /** Files that change together. */
  readonly coupling: readonly {
    readonly files: readonly [string, string];
    readonly together: number;
    /** Of the commits of the one that changes less often, how many in a hundred change the other too. */
    readonly degree: number;
  }[];
}
