import type { Repository } from "@toolwright/kit/git";
import { ageGroups, ageOf } from "./ages.js";
import type { Churn, FileChurn } from "./churn.js";
import { couplingOf } from "./coupling.js";
import type { FileRecord } from "./lineage.js";
import type { Names } from "./names.js";
import { busFactor } from "./ownership.js";
import { scoreFiles } from "./score.js";
import type { Tally } from "./tally.js";
import { toDate } from "./weeks.js";

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
