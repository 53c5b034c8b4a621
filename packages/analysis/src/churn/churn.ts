/** Selects a part of the history. */
export interface ChurnQuery {
  /** A folder or file in a repository, as the caller gave it. */
  readonly path: string;
  readonly period_days: number;
  readonly follow_renames?: boolean | undefined;
  /** Names or addresses of authors whose commits are ignored. */
  readonly exclude_authors?: readonly string[] | undefined;
  /** Counts merges, bots and bulk formatting, too. */
  readonly all_commits?: boolean | undefined;
}

/** The history of one existing file, under its current name. */
export interface FileChurn {
  /** Relative to the analyzed folder, with forward slashes. */
  readonly path: string;
  readonly commits: number;
  /** Names by the mailmap, most commits first. */
  readonly authors: readonly { readonly name: string; readonly commits: number; readonly lines: number }[];
  readonly additions: number;
  readonly deletions: number;
  /** The first and the last change in the period, as YYYY-MM-DD. */
  readonly first_seen: string;
  readonly last_modified: string;
  /** min(1, 0.6 · commits / most commits + 0.4 · changed lines / most changed lines). */
  readonly score: number;
  /** Days since the last change. */
  readonly age_days: number;
  /** The smallest number of authors with more than half of the changed lines. */
  readonly bus_factor: number;
  /** Earlier names in the period, newest first. */
  readonly earlier?: readonly string[];
}

/** How many files were last changed in a span of time. */
export interface AgeGroup {
  /** At most this many days ago; undefined = before the period. */
  readonly days?: number;
  readonly files: number;
}

/** The history of a period. */
export interface Churn {
  /** The real path of the analyzed folder; paths are relative to it. */
  readonly root: string;
  /** Highest score first. */
  readonly files: readonly FileChurn[];
  /** The commits that count. */
  readonly commits: number;
  /** Files that were changed and no longer exist. */
  readonly deleted_files: number;
  /** The start of the period, as YYYY-MM-DD. */
  readonly since: string;
  /** Ignored commits by reason; merges are those of the whole repository. */
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
  /** The smallest number of authors with more than half of the changed lines of all files. */
  readonly bus_factor: number;
  /** All existing files by the days since their last change. */
  readonly ages: readonly AgeGroup[];
  /** The clone is shallow: earlier commits are missing. */
  readonly is_shallow: boolean;
  /** There is no commit yet. */
  readonly is_empty?: boolean;
  /** Commits per week, oldest first. */
  readonly weeks: readonly { readonly from: string; readonly commits: number; readonly lines: number }[];
  /** Files that change together. */
  readonly coupling: readonly {
    readonly files: readonly [string, string];
    readonly together: number;
    /** The percentage of the commits of the file with fewer commits that also change the other one. */
    readonly degree: number;
  }[];
}
