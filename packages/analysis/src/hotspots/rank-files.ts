import path from "node:path";
import type { Churn, FileChurn } from "../churn/churn.js";
import type { ProjectFile } from "../project/project.js";
import type { HotspotFile } from "./hotspots.js";
import { complexityScore, fileComplexity, hotspotScore, toShares } from "./score.js";

/** The churn of each file by its real path. */
export function churnByPlace(churn: Churn | undefined): ReadonlyMap<string, FileChurn> {
  const { root = "", files = [] } = churn ?? {};
  return new Map(files.map((file) => [path.join(root, file.path), file]));
}

/** Puts files in the order in which they are worth a look. Without history `churn` is undefined, and complexity decides. */
export function rankFiles(
  files: readonly ProjectFile<"measures">[],
  churn: ReadonlyMap<string, FileChurn> | undefined,
): readonly HotspotFile[] {
  return files
    .map((file) => toHotspot(file, churn))
    .toSorted(
      (one, other) => other.score - one.score || other.complexity - one.complexity || (one.path < other.path ? -1 : 1),
    );
}

function toHotspot(
  { path: name, place, language, facts: { measures } }: ProjectFile<"measures">,
  churn: ReadonlyMap<string, FileChurn> | undefined,
): HotspotFile {
  const history = churn?.get(place);
  const complexity = fileComplexity(measures.functions);
  const authors = toShares((history?.authors ?? []).map((author) => [author.name, author.commits]));
  return {
    path: name,
    language,
    lines: measures.lines,
    code_lines: measures.code_lines,
    functions: measures.functions.length,
    complexity,
    complexity_score: complexityScore(complexity),
    churn: Number((history?.score ?? 0).toFixed(4)),
    commits: history?.commits ?? 0,
    score: hotspotScore(complexity, churn === undefined ? undefined : (history?.score ?? 0)),
    authors,
    bus_factor: history?.bus_factor ?? 0,
    ...(history !== undefined && { last_modified: history.last_modified }),
  };
}
