import path from "node:path";
import type { Churn, FileChurn } from "../churn/churn.js";
import type { FunctionMeasures } from "../metrics/measures.js";
import type { ProjectFile } from "../project/project.js";
import type { HotspotFile, Share } from "./hotspots.js";

/** The churn of each file by its real path. */
export function churnByPath(churn: Churn | undefined): ReadonlyMap<string, FileChurn> {
  const { root = "", files = [] } = churn ?? {};
  return new Map(files.map((file) => [path.join(root, file.path), file]));
}

/** Ranks files by complexity × churn, or by complexity alone if `churn` is undefined. */
export function rankFiles(
  files: readonly ProjectFile<"measures">[],
  churn: ReadonlyMap<string, FileChurn> | undefined,
): readonly HotspotFile[] {
  return files
    .map((file) => toHotspot(file, churn))
    .toSorted((a, b) => b.score - a.score || b.complexity - a.complexity || (a.path < b.path ? -1 : 1));
}

function toHotspot(
  { path: name, realPath, language, facts: { measures } }: ProjectFile<"measures">,
  churn: ReadonlyMap<string, FileChurn> | undefined,
): HotspotFile {
  const history = churn?.get(realPath);
  const complexity = fileComplexity(measures.functions);
  return {
    path: name,
    language,
    lines: measures.lines,
    code_lines: measures.code_lines,
    functions: measures.functions.length,
    complexity,
    complexity_score: complexityScore(complexity),
    churn: round(history?.score ?? 0, 4),
    commits: history?.commits ?? 0,
    score: hotspotScore(complexity, churn === undefined ? undefined : (history?.score ?? 0)),
    authors: toShares((history?.authors ?? []).map((author) => [author.name, author.commits])),
    bus_factor: history?.bus_factor ?? 0,
    ...(history !== undefined && { last_modified: history.last_modified }),
  };
}

/** The cognitive complexity at which a file gets half of the complexity score. */
const HALF = 50;

/** The cognitive complexity of a file. What a nested function adds is counted once, mostly in the function around it. */
export function fileComplexity(functions: readonly FunctionMeasures[]): number {
  let sum = 0;
  const around: FunctionMeasures[] = [];
  for (const each of functions) {
    while ((around.at(-1)?.end_line ?? Number.POSITIVE_INFINITY) < each.line) around.pop();
    if (around.some((outer) => outer.end_line >= each.end_line && includesIncrements(outer, each))) continue;
    sum += each.cognitive;
    around.push(each);
  }
  return sum;
}

/** Whether the outer function includes the increments of the nested one. It does not if it only declares functions. */
const includesIncrements = (outer: FunctionMeasures, { line, end_line }: FunctionMeasures): boolean =>
  outer.increments.some((each) => each.metric === "cognitive" && each.line >= line && each.line <= end_line);

/** From 0 to 1, independent of other files: a half at 50, two thirds at 100, nine tenths at 450. */
export const complexityScore = (complexity: number): number => round(complexity / (complexity + HALF), 4);

/** From 0 to 100: high only if a file is complex and changes often. Without history only the complexity counts. */
export const hotspotScore = (complexity: number, churn: number | undefined): number =>
  round((100 * complexity * (churn ?? 1)) / (complexity + HALF), 2);

/** The share of each name in the total amount, largest first. */
export function toShares(parts: readonly (readonly [name: string, amount: number])[]): readonly Share[] {
  const amounts = new Map<string, number>();
  for (const [name, amount] of parts) amounts.set(name, (amounts.get(name) ?? 0) + amount);
  const total = [...amounts.values()].reduce((sum, amount) => sum + amount, 0);
  if (total === 0) return [];
  return [...amounts]
    .toSorted(([a, first], [b, second]) => second - first || (a < b ? -1 : 1))
    .map(([name, amount]) => ({ name, share: round(amount / total, 3) }));
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));
