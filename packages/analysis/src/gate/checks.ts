import type { Comparison } from "../complexity/baseline.js";
import { saidWorse } from "../complexity/write-report.js";
import type { Duplicates } from "../duplicates/find-duplicates.js";
import { counted } from "../format.js";
import type { Hotspots } from "../hotspots/hotspots.js";
import type { ProjectFile, SkippedFile } from "../project/project.js";
import type { FoundNote } from "../satd/notes.js";

/** What a project must keep to. */
export interface GateWish {
  /** A folder or one file, as the caller gave it. */
  readonly path: string;
  readonly max_cyclomatic: number;
  readonly max_cognitive: number;
  /** In percent of the lines. */
  readonly max_duplication: number;
  /** How many notes of high or critical severity there may be; undefined = they are not looked at. */
  readonly max_severe_notes?: number | undefined;
  /** The highest score that a hotspot may have; undefined = the history is not looked at. */
  readonly max_hotspot?: number | undefined;
  /** The days of history for the hotspots; 90 by default. */
  readonly period_days?: number | undefined;
  /**
   * A commit to compare with: no function may be worse than it was there. What was above a limit there already may stay as it is.
   */
  readonly baseline?: string | undefined;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/** Something that weighs most in a check. */
export interface Worst {
  readonly path: string;
  readonly line?: number;
  /** The function, or what else it is. */
  readonly name?: string;
  readonly value: number;
}

/** One thing that was checked. */
export interface Check {
  readonly name: string;
  readonly passed: boolean;
  readonly value: number;
  readonly limit: number;
  /** The worst first, a few of them. */
  readonly worst: readonly Worst[];
  /** What was found, in one sentence. */
  readonly reason: string;
  /** What to do about it; only where it did not pass. */
  readonly advice?: string;
}

/** One verdict, and why. */
export interface Gate {
  readonly passed: boolean;
  readonly checks: readonly Check[];
  /** All of it in one paragraph, with what to do next. */
  readonly text: string;
}

/** How many of the worst a check names. */
const MOST_WORST = 5;

/** No function is more complex than it may be; what was so in the baseline is held against that alone. */
export function checkComplexity(
  metric: "cyclomatic" | "cognitive",
  files: readonly ProjectFile<"measures">[],
  limit: number,
  was: Comparison["was"] = () => undefined,
): Check {
  const total = files.reduce((sum, { facts }) => sum + facts.measures.functions.length, 0);
  const judged = files.flatMap(({ path, facts }) =>
    facts.measures.functions
      .filter((measures) => (was(measures)?.[metric] ?? 0) <= limit)
      .map(({ name, line, ...measures }) => ({ path, line, name, value: measures[metric] })),
  );
  const above = judged.filter(({ value }) => value > limit);
  const worst = worstOf(above.length === 0 ? judged : above);
  const have = above.length === 0 ? "None" : String(above.length);
  const kept = total - judged.length;
  const before = kept === 0 ? "" : `, beside ${kept} that had it in the baseline`;
  return toCheck(`max_${metric}`, worst[0]?.value ?? 0, limit, worst, {
    reason: `${have} of ${counted(total, "function")} ${above.length > 1 ? "have" : "has"} a ${metric} complexity above ${limit}${before}.`,
    advice: `Take ${worst[0]?.name ?? ""} in ${placeOf(worst[0])} apart first; analyze_hotspots says how.`,
  });
}

/** No function is worse than it was in a commit. */
export function checkBaseline(
  { baseline: { revision, worse, worse_functions: functions }, skipped }: Pick<Comparison, "baseline" | "skipped">,
  files: readonly ProjectFile<"measures">[],
): Check {
  const paths = new Map(files.map(({ shown, path }) => [shown, path]));
  const found = worse.map((each) => ({ each, path: paths.get(each.file) ?? each.file, value: each.is - each.was }));
  const most = worstOf(found);
  const worst = most.map(({ each: { line, function: name, metric, was, is }, path, value }) => ({
    path,
    line,
    name: `${name}: ${metric} ${was} → ${is}`,
    value,
  }));
  const [first] = most;
  const unread = skipped.length === 0 ? "" : `; ${counted(skipped.length, "file")} could not be compared`;
  return toCheck("baseline", functions, 0, worst, {
    reason: `${saidWorse(functions).replace(/^n/, "N")} than in ${revision}${unread}.`,
    advice: `Bring ${first?.each.function ?? ""} in ${placeOf(worst[0])} back to a ${first?.each.metric ?? ""} complexity of ${first?.each.was ?? 0}; it has ${first?.each.is ?? 0}.`,
  });
}

/** Not too many lines are there twice. */
export function checkDuplication(
  { percent, groups, duplicated_lines, lines }: Omit<Duplicates, "skipped">,
  limit: number,
): Check {
  const worst = groups.slice(0, MOST_WORST).flatMap((group): Worst[] => {
    const [first] = group.copies;
    return first === undefined
      ? []
      : [{ path: first.path, line: first.line, name: `${group.copies.length} copies`, value: group.lines }];
  });
  return toCheck("max_duplication", percent, limit, worst, {
    reason: `${percent} % of the lines (${duplicated_lines} of ${lines}) are there more than once; ${limit} % may be.`,
    advice: `Make the ${worst[0]?.value ?? 0} lines of ${placeOf(worst[0])} one function; analyze_duplicates lists all copies.`,
  });
}

/** Not too many notes speak of something grave. */
export function checkNotes(notes: readonly FoundNote[], limit: number): Check {
  const worst = notes.slice(0, MOST_WORST).map(({ path, line, word }) => ({ path, line, name: word, value: 1 }));
  return toCheck("max_severe_notes", notes.length, limit, worst, {
    reason: `${counted(notes.length, "note")} of high or critical severity; ${limit} may be there.`,
    advice: `Do what the note in ${placeOf(worst[0])} says; analyze_satd with severity "high" lists all.`,
  });
}

/** Every file could be read: what cannot be read cannot be judged. */
export function checkReadable(skipped: readonly SkippedFile[], leftOut: readonly SkippedFile[]): Check {
  const [first] = leftOut;
  const beside =
    first === undefined
      ? ""
      : `; ${counted(leftOut.length, "file")} not looked at, such as ${first.path} (${first.reason})`;
  const worst = skipped.map(({ path, line, reason }) => ({
    path,
    ...(line !== undefined && { line }),
    name: reason,
    value: 1,
  }));
  return toCheck("unparsed_files", skipped.length, 0, worst.slice(0, MOST_WORST), {
    reason:
      skipped.length === 0
        ? `Every file ${beside === "" ? "" : "of a usual size "}could be read${beside}.`
        : `${counted(skipped.length, "file")} could not be read in full${beside}.`,
    advice: `Mend ${placeOf(worst[0])} (${worst[0]?.name ?? ""}), or leave such files out with exclude.`,
  });
}

/** No file is both too complex and too often changed. */
export function checkHotspots({ files, basis }: Hotspots, limit: number): Check {
  const worst = files.slice(0, MOST_WORST).map(({ path, score }) => ({ path, value: score }));
  const by = basis === "complexity" ? " by complexity alone, for nothing is known of changes" : "";
  return toCheck("max_hotspot", worst[0]?.value ?? 0, limit, worst, {
    reason: `The hottest file has a score of ${worst[0]?.value ?? 0}${by}; ${limit} is allowed.`,
    advice: `Begin with ${placeOf(worst[0])}; analyze_hotspots says what to extract.`,
  });
}

/** A check passes where its value is not above its limit. */
function toCheck(
  name: string,
  value: number,
  limit: number,
  worst: readonly Worst[],
  { reason, advice }: { readonly reason: string; readonly advice: string },
): Check {
  const passed = value <= limit;
  return { name, passed, value, limit, worst, reason, ...(!passed && { advice }) };
}

/** The entries with the highest values. */
const worstOf = <Entry extends Pick<Worst, "path" | "value">>(all: readonly Entry[]): readonly Entry[] =>
  all.toSorted((one, other) => other.value - one.value || (one.path < other.path ? -1 : 1)).slice(0, MOST_WORST);

/** Where something is, in a sentence. */
const placeOf = (worst: Worst | undefined): string =>
  worst === undefined ? "the code" : worst.line === undefined ? worst.path : `${worst.path}:${worst.line}`;
