import { fitToBudget } from "@toolwright/kit/files";
import { nextOffset } from "@toolwright/kit/pack";
import type { ChurnReport } from "../tools/analyze-code-churn.js";
import type { Churn, FileChurn } from "./churn.js";

/** Selects a page of a report. */
export interface ReportOptions {
  readonly project_path: string;
  readonly period_days: number;
  readonly limit: number;
  readonly offset: number;
  /** The size of the files in bytes of JSON. The other parts have their own, small limits. */
  readonly budget?: number;
}

const BUDGET = { files: 24_000, paths: 2000, pairs: 3000, authors: 2000 } as const;
const MAX = { paths: 10, pairs: 20, authors: 20, holders: 5, names: 10 } as const;

/** Reduces churn to a page that fits into a result. */
export function toReport(
  churn: Churn,
  { project_path, period_days, limit, offset, budget }: ReportOptions,
): ChurnReport {
  const files = fitToBudget(churn.files.slice(offset, offset + limit).map(toFile), budget ?? BUDGET.files);
  return {
    project_path,
    period_days,
    since: churn.since,
    summary: summarize(churn),
    files,
    coupling: fitToBudget(
      churn.coupling.slice(0, MAX.pairs).map((pair) => ({ ...pair, files: [...pair.files] })),
      BUDGET.pairs,
    ),
    ownership: { bus_factor: churn.bus_factor, holders: holdersOf(churn) },
    ages: [...churn.ages],
    left_out: churn.left_out,
    is_shallow: churn.is_shallow,
    notes: notesOn(churn),
    ...(files.length > 0 && nextOffset(offset + files.length, churn.files.length)),
  };
}

function summarize({ commits, files, deleted_files, authors }: Churn): ChurnReport["summary"] {
  const paths = (some: readonly FileChurn[]): string[] =>
    fitToBudget(
      some.map(({ path }) => path),
      BUDGET.paths,
    );
  return {
    total_commits: commits,
    total_files_changed: files.length,
    deleted_files,
    hotspot_files: paths(files.slice(0, MAX.paths).filter(({ score }) => score > 0.5)),
    stable_files: paths(files.slice(-MAX.paths).filter(({ score }) => score < 0.1)),
    author_contributions: fitToBudget(
      authors.slice(0, MAX.authors).map((author) => ({ ...author })),
      BUDGET.authors,
    ),
  };
}

const toFile = ({ path, authors, score, earlier, ...file }: FileChurn): ChurnReport["files"][number] => ({
  path,
  commits: file.commits,
  unique_authors: authors.slice(0, MAX.names).map(({ name }) => name),
  author_count: authors.length,
  additions: file.additions,
  deletions: file.deletions,
  first_seen: file.first_seen,
  last_modified: file.last_modified,
  churn_score: Math.round(score * 1000) / 1000,
  age_days: file.age_days,
  bus_factor: file.bus_factor,
  ...(earlier !== undefined && { earlier: earlier.slice(0, MAX.names) }),
});

/** The authors with the most changed lines, as many as the bus factor counts. */
function holdersOf({ authors, bus_factor }: Churn): { name: string; percent: number }[] {
  const total = authors.reduce((sum, { lines }) => sum + lines, 0);
  if (total === 0) return [];
  return [...authors]
    .sort((a, b) => b.lines - a.lines)
    .slice(0, Math.min(bus_factor, MAX.holders))
    .map(({ name, lines }) => ({ name, percent: Math.round((100 * lines) / total) }));
}

/** Notes on how to read the numbers. */
function notesOn({ is_shallow, is_empty, left_out, commits, files, since }: Churn): string[] {
  const ignored = [
    [left_out.merges, left_out.merges === 1 ? "merge" : "merges"],
    [left_out.bots, "by bots"],
    [left_out.bulk, left_out.bulk === 1 ? "that formats or moves many files" : "that format or move many files"],
    [left_out.excluded, "by excluded authors"],
  ] as const;
  const listed = ignored.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return [
    ...(is_shallow
      ? [
          "The clone is shallow: earlier commits are missing, and its oldest commit seems to add every file. Run git fetch --unshallow to get them.",
        ]
      : []),
    ...(listed.length > 0
      ? [
          `Ignored commits: ${listed.join(", ")}.${left_out.merges + left_out.bots + left_out.bulk > 0 ? " Include all commits to count merges, bots and bulk changes." : ""}`,
        ]
      : []),
    ...(is_empty === true ? ["There is no commit yet."] : []),
    ...(commits === 0 && files.length === 0 && is_empty !== true
      ? [`No commit since ${since} counts. Use a longer period.`]
      : []),
  ];
}
