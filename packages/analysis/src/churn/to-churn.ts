import type { Repository } from "@toolwright/kit/git";
import type { AgeGroup, Churn, FileChurn } from "./churn.js";
import { couplingOf } from "./coupling.js";
import type { FileRecord } from "./lineage.js";
import type { Names } from "./open-history.js";
import { type Tally, toDate } from "./tally.js";

interface Circumstances {
  readonly repository: Repository;
  readonly root: string;
  readonly names: Names;
  readonly tracked: ReadonlySet<string>;
  /** How many files the folder has today. */
  readonly files: number;
  /** Seconds. */
  readonly since: number;
  readonly now: number;
  /** Whether there is no commit at all. */
  readonly isEmpty: boolean;
}

/** Puts together what was counted, with the names that callers see. */
export function toChurn(tally: Tally, { names, tracked, since, now, ...rest }: Circumstances): Churn {
  const seen = tally.lineage.files.filter(({ isInside, commits }) => isInside && commits > 0);
  const there = seen.filter(({ name }) => tracked.has(name)).sort(byName);
  const files = scoreFiles(there.map((record) => toFile(record, names, now)));
  const authors = authorsOf(files, tally);
  return {
    root: rest.root,
    files,
    commits: tally.commits,
    deleted_files: seen.length - there.length,
    since: toDate(since),
    left_out: tally.leftOut,
    authors,
    bus_factor: busFactor(authors),
    ages: ageGroups(files, rest.files),
    is_shallow: rest.repository.isShallow,
    ...(rest.isEmpty && { is_empty: true }),
    weeks: tally.weeks.list(),
    coupling: couplingOf(tally, there, names.pathOf),
  };
}

function toFile(record: FileRecord, { pathOf, isShown }: Names, now: number): FileChurn {
  const authors = [...record.authors].map(([name, done]) => ({ name, ...done })).sort(byCommits);
  const earlier = [...new Set(record.earlier)].filter((name) => name !== record.name && isShown(name));
  return {
    path: pathOf(record.name),
    commits: record.commits,
    authors,
    additions: record.additions,
    deletions: record.deletions,
    first_seen: toDate(record.first),
    last_modified: toDate(record.last),
    score: 0,
    age_days: ageOf(record.last, now),
    bus_factor: busFactor(authors),
    ...(earlier.length > 0 && { earlier: earlier.map(pathOf) }),
  };
}

function authorsOf(files: readonly FileChurn[], tally: Tally): Churn["authors"] {
  const done = new Map<string, { files: number; lines: number }>();
  for (const file of files)
    for (const { name, lines } of file.authors) {
      const known = done.get(name) ?? { files: 0, lines: 0 };
      done.set(name, { files: known.files + 1, lines: known.lines + lines });
    }
  return [...tally.authors.values()]
    .map(({ name, commits }) => ({ name, commits, ...(done.get(name) ?? { files: 0, lines: 0 }) }))
    .sort(byCommits);
}

const byName = (one: FileRecord, other: FileRecord): number => (one.name < other.name ? -1 : 1);

type Counted = { readonly name: string; readonly commits: number };

/** Names of equal weight stand in the order of their characters, wherever the server runs. */
const byCommits = (one: Counted, other: Counted): number =>
  other.commits - one.commits || (one.name < other.name ? -1 : 1);

/** Gives each file its score, and puts the highest first: min(1, 0.6 · commits / most + 0.4 · changed lines / most). */
export function scoreFiles(files: readonly FileChurn[]): readonly FileChurn[] {
  const mostCommits = most(files, ({ commits }) => commits);
  const mostLines = most(files, linesOf);
  return files
    .map((file) => ({
      ...file,
      score: Math.min(1, (0.6 * file.commits) / mostCommits + (0.4 * linesOf(file)) / mostLines),
    }))
    .sort((one, other) => other.score - one.score || (one.path < other.path ? -1 : 1));
}

const linesOf = ({ additions, deletions }: FileChurn): number => additions + deletions;

/** At least one, so that nothing is divided by zero where only binary files have changed. */
const most = (files: readonly FileChurn[], of: (file: FileChurn) => number): number =>
  files.reduce((found, file) => Math.max(found, of(file)), 1);

const DAY = 86_400;

/** Days. No period is longer than the last, and git gives no commit from before the period. */
const GROUPS = [7, 30, 90, 365, 3650] as const;

/** Whole days between two moments in seconds; what is dated later by a wrong clock is new. */
export const ageOf = (time: number, now: number): number => Math.max(0, Math.floor((now - time) / DAY));

/** How many files of all there are were last changed how long ago; those without a change in the period come last. */
export function ageGroups(files: readonly FileChurn[], all: number): readonly AgeGroup[] {
  const groups = GROUPS.map((days, at) => {
    const after = GROUPS[at - 1] ?? -1;
    return { days, files: files.filter(({ age_days: age }) => age > after && age <= days).length };
  });
  const others = all - files.length;
  return [...groups, { files: others }].filter((group) => group.files > 0);
}

/** How few authors hold more than half of the changed lines; where no line has changed, of the commits. */
export function busFactor(authors: readonly { readonly commits: number; readonly lines: number }[]): number {
  const lines = authors.map((author) => author.lines).sort((one, other) => other - one);
  const shares = lines[0] === 0 ? authors.map(({ commits }) => commits).sort((one, other) => other - one) : lines;
  const half = shares.reduce((sum, share) => sum + share, 0) / 2;
  let held = 0;
  let count = 0;
  while (held <= half && count < shares.length) {
    held += shares[count] ?? 0;
    count += 1;
  }
  return count;
}
