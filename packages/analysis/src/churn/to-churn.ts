import type { Repository } from "@toolwright/kit/git";
import type { AgeGroup, Churn, FileChurn } from "./churn.js";
import { type ChurnCounter, toDate } from "./churn-counter.js";
import { couplingOf } from "./coupling.js";
import type { DisplayNames } from "./open-history.js";
import type { FileRecord } from "./rename-tracker.js";

interface ChurnContext {
  readonly repository: Repository;
  readonly root: string;
  readonly names: DisplayNames;
  readonly tracked: ReadonlySet<string>;
  /** The current number of files in the folder. */
  readonly files: number;
  /** Seconds. */
  readonly since: number;
  readonly now: number;
  /** There is no commit at all. */
  readonly isEmpty: boolean;
}

/** Converts the counts to the result, with the names that callers see. */
export function toChurn(counter: ChurnCounter, { names, tracked, since, now, ...context }: ChurnContext): Churn {
  const changed = counter.renames.files.filter(({ isInside, commits }) => isInside && commits > 0);
  const existing = changed.filter(({ name }) => tracked.has(name)).sort(byName);
  const files = scoreFiles(existing.map((record) => toFile(record, names, now)));
  const authors = authorsOf(files, counter);
  return {
    root: context.root,
    files,
    commits: counter.commits,
    deleted_files: changed.length - existing.length,
    since: toDate(since),
    left_out: counter.leftOut,
    authors,
    bus_factor: busFactor(authors),
    ages: ageGroups(files, context.files),
    is_shallow: context.repository.isShallow,
    ...(context.isEmpty && { is_empty: true }),
    weeks: counter.weeks.list(),
    coupling: couplingOf(counter, existing, names.pathOf),
  };
}

function toFile(record: FileRecord, { pathOf, isVisible }: DisplayNames, now: number): FileChurn {
  const authors = [...record.authors].map(([name, counts]) => ({ name, ...counts })).sort(byCommits);
  const earlier = [...new Set(record.earlier)].filter((name) => name !== record.name && isVisible(name));
  return {
    path: pathOf(record.name),
    commits: record.commits,
    authors,
    additions: record.additions,
    deletions: record.deletions,
    first_seen: toDate(record.first),
    last_modified: toDate(record.last),
    score: 0,
    // A commit from the future, by a wrong clock, is new.
    age_days: Math.max(0, Math.floor((now - record.last) / DAY)),
    bus_factor: busFactor(authors),
    ...(earlier.length > 0 && { earlier: earlier.map(pathOf) }),
  };
}

function authorsOf(files: readonly FileChurn[], counter: ChurnCounter): Churn["authors"] {
  const counts = new Map<string, { files: number; lines: number }>();
  for (const file of files)
    for (const { name, lines } of file.authors) {
      const known = counts.get(name) ?? { files: 0, lines: 0 };
      counts.set(name, { files: known.files + 1, lines: known.lines + lines });
    }
  return [...counter.authors.values()]
    .map(({ name, commits }) => ({ name, commits, ...(counts.get(name) ?? { files: 0, lines: 0 }) }))
    .sort(byCommits);
}

const byName = (a: FileRecord, b: FileRecord): number => (a.name < b.name ? -1 : 1);

type Counted = { readonly name: string; readonly commits: number };

/** Names are compared by character codes, so that the order does not depend on the locale. */
const byCommits = (a: Counted, b: Counted): number => b.commits - a.commits || (a.name < b.name ? -1 : 1);

/** Adds the churn score, and sorts by it. */
function scoreFiles(files: readonly FileChurn[]): readonly FileChurn[] {
  const maxCommits = maxOf(files, ({ commits }) => commits);
  const maxLines = maxOf(files, linesOf);
  return files
    .map((file) => ({
      ...file,
      score: Math.min(1, (0.6 * file.commits) / maxCommits + (0.4 * linesOf(file)) / maxLines),
    }))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}

const linesOf = ({ additions, deletions }: FileChurn): number => additions + deletions;

/** At least one, to avoid a division by zero if only binary files have changed. */
const maxOf = (files: readonly FileChurn[], of: (file: FileChurn) => number): number =>
  files.reduce((max, file) => Math.max(max, of(file)), 1);

const DAY = 86_400;

/** In days. No period is longer than the last one. */
const AGE_GROUPS = [7, 30, 90, 365, 3650] as const;

/** How many files were last changed in which span; those that did not change in the period come last. */
function ageGroups(files: readonly FileChurn[], total: number): readonly AgeGroup[] {
  const groups = AGE_GROUPS.map((days, at) => {
    const after = AGE_GROUPS[at - 1] ?? -1;
    return { days, files: files.filter(({ age_days: age }) => age > after && age <= days).length };
  });
  return [...groups, { files: total - files.length }].filter((group) => group.files > 0);
}

/** The smallest number of authors with more than half of the changed lines, or of the commits if no line has changed. */
export function busFactor(authors: readonly { readonly commits: number; readonly lines: number }[]): number {
  const lines = authors.map((author) => author.lines).sort((a, b) => b - a);
  const shares = lines[0] === 0 ? authors.map(({ commits }) => commits).sort((a, b) => b - a) : lines;
  const half = shares.reduce((sum, share) => sum + share, 0) / 2;
  let sum = 0;
  let count = 0;
  while (sum <= half && count < shares.length) {
    sum += shares[count] ?? 0;
    count += 1;
  }
  return count;
}
