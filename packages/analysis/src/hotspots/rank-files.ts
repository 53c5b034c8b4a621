import path from "node:path";
import type { Churn, FileChurn } from "../churn/churn.js";
import type { FunctionMeasures } from "../metrics/measures.js";
import type { ProjectFile } from "../project/project.js";
import type { HotspotFile, Share } from "./hotspots.js";

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

/** The cognitive complexity at which a file gets half of what complexity can give. */
const HALF = 50;

/** The cognitive complexity of a file. What a function inside another adds is mostly counted in that one already, and never twice. */
export function fileComplexity(functions: readonly FunctionMeasures[]): number {
  let sum = 0;
  const around: FunctionMeasures[] = [];
  for (const each of functions) {
    while ((around.at(-1)?.end_line ?? Number.POSITIVE_INFINITY) < each.line) around.pop();
    if (around.some((outer) => outer.end_line >= each.end_line && counts(outer, each))) continue;
    sum += each.cognitive;
    around.push(each);
  }
  return sum;
}

/** Whether the increments of a function inside are among those of the one around it, which is not so where that one only declares. */
const counts = (outer: FunctionMeasures, { line, end_line }: FunctionMeasures): boolean =>
  outer.increments.some((each) => each.metric === "cognitive" && each.line >= line && each.line <= end_line);

/** 0 to 1, and the same whatever else is in the project: half at 50, two thirds at 100, nine tenths at 450. */
export const complexityScore = (complexity: number): number => round(complexity / (complexity + HALF), 4);

/** 0 to 100: high only where a file is both hard to follow and often changed. Without history complexity speaks alone. */
export const hotspotScore = (complexity: number, churn: number | undefined): number =>
  round((100 * complexity * (churn ?? 1)) / (complexity + HALF), 2);

/** Who did which part of something, the most first. */
export function toShares(parts: readonly (readonly [name: string, amount: number])[]): readonly Share[] {
  const amounts = new Map<string, number>();
  for (const [name, amount] of parts) amounts.set(name, (amounts.get(name) ?? 0) + amount);
  const total = [...amounts.values()].reduce((all, amount) => all + amount, 0);
  if (total === 0) return [];
  return [...amounts]
    .toSorted(([one, first], [other, second]) => second - first || (one < other ? -1 : 1))
    .map(([name, amount]) => ({ name, share: round(amount / total, 3) }));
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));
