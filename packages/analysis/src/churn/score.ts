import type { FileChurn } from "./churn.js";

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
