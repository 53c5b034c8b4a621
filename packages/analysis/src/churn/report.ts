import { fitToBudget } from "@toolwright/kit/files";
import type { Churn, FileChurn } from "./churn.js";

/** What callers see of one file. */
export type ReportedFile = {
  readonly path: string;
  readonly commits: number;
  /** The most active ones. */
  readonly unique_authors: string[];
  /** How many there are in all. */
  readonly author_count: number;
  readonly additions: number;
  readonly deletions: number;
  readonly first_seen: string;
  readonly last_modified: string;
  readonly churn_score: number;
  readonly age_days: number;
  readonly bus_factor: number;
  readonly earlier?: string[];
};

/** What callers see of a history: one page of files, and what is said of all of them. */
export type ChurnReport = {
  readonly project_path: string;
  readonly period_days: number;
  readonly since: string;
  readonly summary: {
    readonly total_commits: number;
    readonly total_files_changed: number;
    readonly deleted_files: number;
    readonly hotspot_files: string[];
    readonly stable_files: string[];
    readonly author_contributions: { name: string; commits: number; files: number; lines: number }[];
  };
  readonly files: ReportedFile[];
  readonly coupling: { files: string[]; together: number; degree: number }[];
  readonly ownership: { readonly bus_factor: number; readonly holders: { name: string; percent: number }[] };
  readonly ages: { days?: number; files: number }[];
  readonly left_out: { merges: number; bots: number; bulk: number; excluded: number };
  readonly is_shallow: boolean;
  readonly notes: string[];
  readonly next?: { readonly offset: number };
};

/** Which part of a history is shown. */
export interface ReportWish {
  readonly project_path: string;
  readonly period_days: number;
  readonly limit: number;
  readonly offset: number;
  /** How many bytes of JSON the files may have; the other parts have their own, small limits. */
  readonly room?: number;
}

const FILES_ROOM = 24_000;
const PATHS_ROOM = 2000;
const PAIRS_ROOM = 3000;
const AUTHORS_ROOM = 2000;

const [MOST_PATHS, MOST_PAIRS, MOST_AUTHORS, MOST_HOLDERS, MOST_NAMES] = [10, 20, 20, 5, 10] as const;

/** Cuts what was read of a history down to what a caller asked to see. */
export function toReport(churn: Churn, { project_path, period_days, limit, offset, room }: ReportWish): ChurnReport {
  const files = fitToBudget(churn.files.slice(offset, offset + limit).map(toReported), room ?? FILES_ROOM);
  const end = offset + files.length;
  return {
    project_path,
    period_days,
    since: churn.since,
    summary: summarise(churn),
    files,
    coupling: fitToBudget(
      churn.coupling.slice(0, MOST_PAIRS).map((pair) => ({ ...pair, files: [...pair.files] })),
      PAIRS_ROOM,
    ),
    ownership: { bus_factor: churn.bus_factor, holders: holdersOf(churn) },
    ages: [...churn.ages],
    left_out: churn.left_out,
    is_shallow: churn.is_shallow,
    notes: notesOn(churn),
    ...(end < churn.files.length && files.length > 0 && { next: { offset: end } }),
  };
}

function summarise({ commits, files, deleted_files, authors }: Churn): ChurnReport["summary"] {
  const paths = (some: readonly FileChurn[]): string[] =>
    fitToBudget(
      some.map(({ path }) => path),
      PATHS_ROOM,
    );
  return {
    total_commits: commits,
    total_files_changed: files.length,
    deleted_files,
    hotspot_files: paths(files.slice(0, MOST_PATHS).filter(({ score }) => score > 0.5)),
    stable_files: paths(files.slice(-MOST_PATHS).filter(({ score }) => score < 0.1)),
    author_contributions: fitToBudget(
      authors.slice(0, MOST_AUTHORS).map((author) => ({ ...author })),
      AUTHORS_ROOM,
    ),
  };
}

const toReported = ({ path, authors, score, earlier, ...file }: FileChurn): ReportedFile => ({
  path,
  commits: file.commits,
  unique_authors: authors.slice(0, MOST_NAMES).map(({ name }) => name),
  author_count: authors.length,
  additions: file.additions,
  deletions: file.deletions,
  first_seen: file.first_seen,
  last_modified: file.last_modified,
  churn_score: Math.round(score * 1000) / 1000,
  age_days: file.age_days,
  bus_factor: file.bus_factor,
  ...(earlier !== undefined && { earlier: earlier.slice(0, MOST_NAMES) }),
});

/** Those who hold the most of the changed lines, as many as the bus factor counts. */
function holdersOf({ authors, bus_factor }: Churn): { name: string; percent: number }[] {
  const all = authors.reduce((sum, { lines }) => sum + lines, 0);
  if (all === 0) return [];
  return [...authors]
    .sort((one, other) => other.lines - one.lines)
    .slice(0, Math.min(bus_factor, MOST_HOLDERS))
    .map(({ name, lines }) => ({ name, percent: Math.round((100 * lines) / all) }));
}

/** What one must know to read the numbers right. */
function notesOn({ is_shallow, is_empty, left_out, commits, files, since }: Churn): string[] {
  const kinds = [
    [left_out.merges, left_out.merges === 1 ? "merge" : "merges"],
    [left_out.bots, "by bots"],
    [left_out.bulk, left_out.bulk === 1 ? "that formats or moves many files" : "that format or move many files"],
    [left_out.excluded, "by excluded authors"],
  ] as const;
  const left = kinds.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return [
    ...(is_shallow
      ? [
          "This is a shallow clone: commits before its cut are missing, and its oldest commit seems to add every file. Run git fetch --unshallow for all of them.",
        ]
      : []),
    ...(left.length > 0
      ? [`Commits that do not count: ${left.join(", ")}. all_commits: true counts all but those of excluded authors.`]
      : []),
    ...(is_empty === true ? ["There is no commit yet: a history begins with the first one."] : []),
    ...(commits === 0 && files.length === 0 && is_empty !== true
      ? [`No commit that counts since ${since}. Ask for a longer period_days.`]
      : []),
  ];
}
