import path from "node:path";
import { readGlob } from "../../../files/glob.js";
import { toName } from "../../../git/names.js";
import type { Repository } from "../../../git/run-git.js";
import type { Analysis } from "../analysis.js";
import { ageGroups, ageOf } from "./ages.js";
import type { Churn, FileChurn } from "./churn.js";
import { couplingOf } from "./coupling.js";
import type { Folder } from "./folder.js";
import type { FileRecord } from "./lineage.js";
import { busFactor } from "./ownership.js";
import { scoreFiles } from "./score.js";
import type { Tally } from "./tally.js";
import { toDate } from "./weeks.js";

interface Circumstances {
  readonly analysis: Analysis;
  readonly repository: Repository;
  readonly folder: Folder;
  readonly tracked: ReadonlySet<string>;
  /** Seconds. */
  readonly since: number;
  readonly now: number;
}

/** Puts together what was counted, with the names that callers see. */
export function toChurn(tally: Tally, { analysis, repository, folder, tracked, since, now }: Circumstances): Churn {
  const excluded = analysis.settings.exclude.map(readGlob);
  const nameOf = (name: string): string => toName(Buffer.from(name, "latin1"));
  const below = nameOf(folder.prefix);
  const pathOf = (name: string): string => path.posix.relative(below, nameOf(name));
  const isShown = (name: string): boolean =>
    repository.mayShow(nameOf(name)) && !excluded.some(({ fits }) => fits(pathOf(name)));
  const seen = tally.lineage.files.filter(({ isInside, commits }) => isInside && commits > 0);
  const there = seen.filter(({ name }) => tracked.has(name) && isShown(name)).sort(byName);
  const files = scoreFiles(there.map((record) => toFile(record, { pathOf, isShown, now })));
  const all = [...tracked].filter((name) => folder.isInside(name) && isShown(name)).length;
  const authors = authorsOf(files, tally);
  return {
    root: folder.root,
    files,
    commits: tally.commits,
    deleted_files: seen.filter(({ name }) => !tracked.has(name)).length,
    since: toDate(since),
    left_out: tally.leftOut,
    authors,
    bus_factor: busFactor(authors),
    ages: ageGroups(files, all),
    is_shallow: repository.isShallow,
    weeks: tally.weeks.list(),
    coupling: couplingOf(tally, there, pathOf),
  };
}

interface Naming {
  readonly pathOf: (name: string) => string;
  readonly isShown: (name: string) => boolean;
  readonly now: number;
}

function toFile(record: FileRecord, { pathOf, isShown, now }: Naming): FileChurn {
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
  return [...tally.authors]
    .map(([name, commits]) => ({ name, commits, ...(done.get(name) ?? { files: 0, lines: 0 }) }))
    .sort(byCommits);
}

const byName = (one: FileRecord, other: FileRecord): number => (one.name < other.name ? -1 : 1);

type Counted = { readonly name: string; readonly commits: number };

/** Names of equal weight stand in the order of their characters, wherever the server runs. */
const byCommits = (one: Counted, other: Counted): number =>
  other.commits - one.commits || (one.name < other.name ? -1 : 1);
